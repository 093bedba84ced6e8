import type { FieldPath } from '../../base/field-path.ts';
import type { Json } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { LongValidator } from './findings.ts';
import { Findings, few, noField } from './findings.ts';

type Junctor = (value: Json, path: FieldPath, found: Findings) => Work<void>;

/**
 * `anyOf`, `oneOf`, `allOf` and `not`. A failure is told without a field, and with it what was wrong in the branch
 * that came nearest (the one in which most parts were looked at, the first among equals).
 */
export function compileJunctors(
  schema: JsonSchema,
  compile: (schema: JsonSchema) => LongValidator,
): Junctor | undefined {
  const checks: Junctor[] = [];
  if (schema.anyOf?.length) checks.push(anyOf(schema.anyOf.map(compile)));
  if (schema.oneOf?.length) checks.push(oneOf(schema.oneOf.map(compile)));
  if (schema.allOf?.length) checks.push(allOf(schema.allOf.map(compile)));
  if (schema.not) checks.push(not(compile(schema.not)));
  if (checks.length === 0) return undefined;
  return function* (value, path, found) {
    for (const check of checks) yield* check(value, path, found);
  };
}

const complain = (found: Findings, path: FieldPath, text: string) =>
  found.add('FieldValueInvalid', noField, `Invalid value: "": "${path}" ${text}`);

const isNearer = (one: Findings, other: Findings | undefined) => !other || one.examined > other.examined;

/** What each branch finds, until that is `enough`. @returns whether it was */
function* anyIs(
  branches: readonly LongValidator[],
  value: Json,
  path: FieldPath,
  enough: (found: Findings) => boolean,
): Work<boolean> {
  for (const [at, branch] of branches.entries()) {
    const found = new Findings();
    const rest = branch(value, path, found);
    if (rest) yield* rest;
    if (rest || at % few === few - 1) yield;
    if (enough(found)) return true;
  }
  return false;
}

const isValid = ({ errors }: Findings) => errors.length === 0;

const anyOf = (branches: readonly LongValidator[]): Junctor =>
  function* (value, path, found) {
    let nearest: Findings | undefined;
    const judge = (result: Findings) => {
      if (isNearer(result, nearest)) nearest = result;
      return isValid(result);
    };
    if (yield* anyIs(branches, value, path, judge)) return;
    complain(found, path, 'must validate at least one schema (anyOf)');
    if (nearest) found.merge(nearest);
  };

const oneOf = (branches: readonly LongValidator[]): Junctor =>
  function* (value, path, found) {
    let nearest: Findings | undefined;
    let valid = 0;
    yield* anyIs(branches, value, path, (result) => {
      if (isValid(result)) valid++;
      else if (isNearer(result, nearest)) nearest = result;
      return false;
    });
    if (valid === 1) return;
    const seen = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    complain(found, path, `must validate one and only one schema (oneOf). ${seen}`);
    if (valid === 0 && nearest) found.merge(nearest);
  };

const allOf = (branches: readonly LongValidator[]): Junctor =>
  function* (value, path, found) {
    let valid = 0;
    yield* anyIs(branches, value, path, (result) => {
      if (isValid(result)) valid++;
      found.merge(result);
      return false;
    });
    if (valid === branches.length) return;
    complain(found, path, `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
  };

const not = (branch: LongValidator): Junctor =>
  function* (value, path, found) {
    if (yield* anyIs([branch], value, path, isValid)) complain(found, path, 'must not validate the schema (not)');
  };
