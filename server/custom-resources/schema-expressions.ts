import { type FieldError, forbiddenField, invalidValue, required } from '../base/field-error.ts';
import type { FieldPath } from '../base/field-path.ts';
import { checkExpression } from '../cel/check.ts';
import { estimatedCost } from '../cel/cost.ts';
import { ExpressionError, mentions, parseExpression } from '../cel/expression.ts';
import { type Extent, extentOf } from '../cel/extent.ts';
import { type CelType, nameOf, typeOfSchema } from '../cel/type.ts';
import type { JsonSchema, ValidationRule } from '../schema/json-schema.ts';
import { innerParts } from './schema-parts.ts';

/**
 * What the rules of one definition may cost is estimated from the limits in its schema, which is rough. So only what
 * is far beyond the cost that an evaluation may reach is refused; what is nearer ends when it gets there.
 */
const mostExpensiveRule = 100_000_000;

/** Where rules stand. */
interface Place {
  /** A value here can be told to follow from one before; so it has an `oldSelf`. */
  readonly correlatable: boolean;
  readonly root: boolean;
  /** How many such values one object can have. */
  readonly count: number;
}

/** The rules for `x-kubernetes-validations` of a schema that is structural, at every depth. */
export const validateRules = (schema: JsonSchema, path: FieldPath): FieldError[] =>
  within(schema, path, { correlatable: true, root: true, count: 1 });

function within(schema: JsonSchema, path: FieldPath, place: Place): FieldError[] {
  const errors = ownErrors(schema, path, place);
  const itemsToo = place.correlatable && schema['x-kubernetes-list-type'] === 'map';
  for (const part of innerParts(schema, path)) {
    const correlatable = part.kind === 'item' ? itemsToo : place.correlatable;
    const count = part.kind === 'property' ? place.count : place.count * extentOf(schema).size;
    errors.push(...within(part.schema, part.path, { correlatable, root: false, count }));
  }
  return errors;
}

function ownErrors(schema: JsonSchema, path: FieldPath, place: Place): FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const type = typeOfSchema(schema, place.root);
  const extent = extentOf(schema);
  return rules.flatMap((rule, i) => {
    const at = path.child('x-kubernetes-validations').index(i);
    return [
      ...messageErrors(rule, at),
      ...ruleErrors({ rule: rule.rule ?? '', at: at.child('rule'), type, extent, place }),
    ];
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

interface Judged {
  readonly rule: string;
  readonly at: FieldPath;
  readonly type: CelType | undefined;
  readonly extent: Extent;
  readonly place: Place;
}

function ruleErrors({ rule, at, type, extent, place }: Judged): FieldError[] {
  if (rule.trim() === '') return [required(at, 'rule is not specified')];
  if (!type) return [invalidValue(at, rule, 'rules need a schema that gives the value a type')];
  try {
    const expression = parseExpression(rule);
    const result = checkExpression(expression, both(type));
    if (result.is !== 'bool')
      return [invalidValue(at, rule, `the rule must evaluate to a bool, not ${nameOf(result)}`)];
    if (!place.correlatable && mentions(expression, 'oldSelf')) {
      return [invalidValue(at, rule, 'oldSelf cannot be used below a list whose items have no keys')];
    }
    return costErrors(estimatedCost(expression, both(extent)) * place.count, at);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [invalidValue(at, rule, `compilation failed: ${error.message}`)];
  }
}

const both = <T>(self: T): ReadonlyMap<string, T> =>
  new Map([
    ['self', self],
    ['oldSelf', self],
  ]);

function costErrors(cost: number, at: FieldPath): FieldError[] {
  if (cost <= mostExpensiveRule) return [];
  const hint = 'limits in the schema (maxItems, maxProperties, maxLength) make rules cheaper';
  return [
    forbiddenField(
      at,
      `the rule may cost ${(cost / mostExpensiveRule).toFixed(1)} times as much as is allowed; ${hint}`,
    ),
  ];
}
