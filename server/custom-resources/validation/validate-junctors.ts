import type { FieldPath } from '../../base/field-path.ts';
import type { Json } from '../../base/kube-object.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Validator } from './findings.ts';
import { Findings, noField } from './findings.ts';

/**
 * `anyOf`, `oneOf`, `allOf` and `not`. A failure is told without a field, and with it what was wrong in the branch
 * that came nearest (the one in which most parts were looked at, the first among equals).
 */
export function compileJunctors(schema: JsonSchema, compile: (schema: JsonSchema) => Validator): Validator | undefined {
  const checks: Validator[] = [];
  if (schema.anyOf?.length) checks.push(anyOf(schema.anyOf.map(compile)));
  if (schema.oneOf?.length) checks.push(oneOf(schema.oneOf.map(compile)));
  if (schema.allOf?.length) checks.push(allOf(schema.allOf.map(compile)));
  if (schema.not) checks.push(not(compile(schema.not)));
  if (checks.length === 0) return undefined;
  return (value, path, found) => {
    for (const check of checks) check(value, path, found);
  };
}

const complain = (found: Findings, path: FieldPath, text: string) =>
  found.add('FieldValueInvalid', noField, `Invalid value: "": "${path}" ${text}`);

function outcome(branch: Validator, value: Json, path: FieldPath): Findings {
  const found = new Findings();
  branch(value, path, found);
  return found;
}

const isNearer = (one: Findings, other: Findings | undefined) => !other || one.examined > other.examined;

const anyOf =
  (branches: readonly Validator[]): Validator =>
  (value, path, found) => {
    let nearest: Findings | undefined;
    for (const branch of branches) {
      const result = outcome(branch, value, path);
      if (result.errors.length === 0) return;
      if (isNearer(result, nearest)) nearest = result;
    }
    complain(found, path, 'must validate at least one schema (anyOf)');
    if (nearest) found.merge(nearest);
  };

const oneOf =
  (branches: readonly Validator[]): Validator =>
  (value, path, found) => {
    let nearest: Findings | undefined;
    let valid = 0;
    for (const branch of branches) {
      const result = outcome(branch, value, path);
      if (result.errors.length === 0) valid++;
      else if (isNearer(result, nearest)) nearest = result;
    }
    if (valid === 1) return;
    const seen = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    complain(found, path, `must validate one and only one schema (oneOf). ${seen}`);
    if (valid === 0 && nearest) found.merge(nearest);
  };

const allOf =
  (branches: readonly Validator[]): Validator =>
  (value, path, found) => {
    let valid = 0;
    for (const branch of branches) {
      const result = outcome(branch, value, path);
      if (result.errors.length === 0) valid++;
      found.merge(result);
    }
    if (valid === branches.length) return;
    complain(found, path, `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
  };

const not =
  (branch: Validator): Validator =>
  (value, path, found) => {
    if (outcome(branch, value, path).errors.length === 0) complain(found, path, 'must not validate the schema (not)');
  };
