import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import type { JsonSchema, ValidationRule } from '../json-schema.ts';
import { innerParts } from '../schema-parts.ts';
import { checkExpression, type Scope } from './check.ts';
import { ExpressionError, mentions, parseExpression } from './expression.ts';
import { type CelType, nameOf, typeOfSchema } from './type.ts';

/** The rules for `x-kubernetes-validations` of a schema that is structural, at every depth. */
export const validateRules = (schema: JsonSchema, path: FieldPath): FieldError[] => within(schema, path, true, true);

/** `correlatable`: a value here can be told to follow from one before; so it has an `oldSelf`. */
function within(schema: JsonSchema, path: FieldPath, correlatable: boolean, root: boolean): FieldError[] {
  const errors = ownErrors(schema, path, correlatable, root);
  const itemsToo = correlatable && schema['x-kubernetes-list-type'] === 'map';
  for (const part of innerParts(schema, path)) {
    errors.push(...within(part.schema, part.path, part.kind === 'item' ? itemsToo : correlatable, false));
  }
  return errors;
}

function ownErrors(schema: JsonSchema, path: FieldPath, correlatable: boolean, root: boolean): FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const type = typeOfSchema(schema, root);
  return rules.flatMap((rule, i) => {
    const at = path.child('x-kubernetes-validations').index(i);
    return [...messageErrors(rule, at), ...ruleErrors(rule.rule ?? '', at.child('rule'), type, correlatable)];
  });
}

function messageErrors({ message, rule = '' }: ValidationRule, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (message !== undefined && message !== '' && message.trim() === '') {
    errors.push(invalidValue(at.child('message'), message, 'message must be non-empty if specified'));
  } else if (message && /[\r\n]/.test(message.trim())) {
    errors.push(invalidValue(at.child('message'), message, 'message must not contain line breaks'));
  } else if (!message && /[\r\n]/.test(rule.trim())) {
    errors.push(required(at.child('message'), 'message must be specified if rule contains line breaks'));
  }
  return errors;
}

function ruleErrors(rule: string, at: FieldPath, type: CelType | undefined, correlatable: boolean): FieldError[] {
  if (rule.trim() === '') return [required(at, 'rule is not specified')];
  if (!type) return [invalidValue(at, rule, 'rules need a schema that gives the value a type')];
  try {
    const expression = parseExpression(rule);
    const result = checkExpression(expression, scopeOf(type));
    if (result.is !== 'bool')
      return [invalidValue(at, rule, `the rule must evaluate to a bool, not ${nameOf(result)}`)];
    if (correlatable || !mentions(expression, 'oldSelf')) return [];
    return [invalidValue(at, rule, 'oldSelf cannot be used below a list whose items have no keys')];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [invalidValue(at, rule, `compilation failed: ${error.message}`)];
  }
}

const scopeOf = (type: CelType): Scope =>
  new Map([
    ['self', type],
    ['oldSelf', type],
  ]);
