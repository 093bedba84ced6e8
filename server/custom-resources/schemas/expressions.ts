import { enoughErrors, type FieldError, forbiddenField, internalError, invalidValue } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import type { Work } from '../../base/turns/work.ts';
import { type Checked, checkExpression } from '../../cel/check.ts';
import { refuseBadConstants } from '../../cel/constants.ts';
import { estimatedCost } from '../../cel/cost.ts';
import { ExpressionError, mentions, parseExpression } from '../../cel/expression.ts';
import { type Extent, extentOf, mostPerRequest } from '../../cel/extent.ts';
import { type CelType, nameOf, typeOfSchema } from '../../cel/type.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { innerParts } from './parts.ts';

/** The most that one rule, and that all rules of a version's schema, may cost on the largest possible object. */
const mostExpensiveRule = 10_000_000;
const mostExpensiveSchema = 100_000_000;
/** So many rules are named when all together cost too much, and none that costs less than a hundredth of what they may. */
const mostNamed = 4;
const leastNamed = mostExpensiveSchema / 100;

/** Where rules stand. */
interface Place {
  /** A value here can be told to follow from one before; so it has an `oldSelf`. */
  readonly correlatable: boolean;
  readonly root: boolean;
  /** How many such values one object can have; undefined: as many as a request can hold. */
  readonly count: number | undefined;
}

/** What was found so far in a schema. */
interface Findings {
  readonly errors: FieldError[];
  readonly costs: { readonly at: FieldPath; readonly cost: number }[];
  /** Fields with broken keywords. */
  readonly broken: readonly string[];
}

/**
 * The rules for `x-kubernetes-validations` of a schema that is structural, at every depth. `keywords`: what is wrong
 * with single keywords; where one is, or further inside, rules are not looked at.
 */
export function* validateRules(
  schema: JsonSchema,
  path: FieldPath,
  keywords: readonly FieldError[] = [],
): Work<FieldError[]> {
  const found: Findings = { errors: [], costs: [], broken: keywords.map(({ field }) => field) };
  yield* within(schema, path, { correlatable: true, root: true, count: 1 }, found);
  return [...found.errors, ...totalErrors(found.costs, path)];
}

function* within(schema: JsonSchema, path: FieldPath, place: Place, found: Findings): Work<void> {
  yield* ownErrors(schema, path, place, found);
  const itemsToo = place.correlatable && schema['x-kubernetes-list-type'] === 'map';
  for (const part of innerParts(schema, path)) {
    const correlatable = part.kind === 'item' ? itemsToo : place.correlatable;
    const most = part.kind === 'item' ? schema.maxItems : part.kind === 'additional' ? schema.maxProperties : 1;
    const count = place.count === undefined || most === undefined ? undefined : place.count * Math.max(0, most);
    yield* within(part.schema, part.path, { correlatable, root: false, count }, found);
  }
}

function* ownErrors(schema: JsonSchema, path: FieldPath, place: Place, found: Findings): Work<void> {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0 || isBroken(found.broken, String(path))) return;
  const resource = place.root || schema['x-kubernetes-embedded-resource'] === true;
  const type = typeOfSchema(schema, place.root);
  const extent = extentOf(schema, resource);
  const at = path.child('x-kubernetes-validations');
  if (!type || !extent) {
    found.errors.push(internalError(at, untyped));
    return;
  }
  for (const [i, each] of rules.entries()) {
    if (found.errors.length >= enoughErrors) return;
    const rule = each?.rule ?? '';
    ruleErrors({ rule, at: at.index(i).child('rule'), type, extent, place }, found);
    yield;
  }
}

const isBroken = (broken: readonly string[], at: string) =>
  broken.some((field) => field === at || field.startsWith(`${at}.`));

interface Judged {
  readonly rule: string;
  readonly at: FieldPath;
  readonly type: CelType;
  readonly extent: Extent;
  readonly place: Place;
}

function ruleErrors({ rule, at, type, extent, place }: Judged, { errors, costs }: Findings): void {
  try {
    const checked = compiled(rule, type);
    const cost = times(estimatedCost(checked, extent), place.count ?? mostPerRequest(extent));
    costs.push({ at, cost });
    errors.push(...costErrors('the rule', cost, mostExpensiveRule, at));
    if (!place.correlatable && mentions(checked.expression, 'oldSelf'))
      errors.push(invalidValue(at, rule, 'oldSelf cannot be used below a list whose items have no keys'));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    errors.push(invalidValue(at, rule, `compilation failed: ${error.message}`));
  }
}

/** @throws ExpressionError the rule is not in order on the values that a schema describes */
export function refuseRule(rule: string, schema: JsonSchema): void {
  const type = typeOfSchema(schema);
  if (!type) throw new ExpressionError(untyped);
  compiled(rule, type);
}

const untyped = 'rules need a schema that gives the value a type';

/** @throws ExpressionError */
function compiled(rule: string, self: CelType): Checked {
  const scope = new Map([
    ['self', self],
    ['oldSelf', self],
  ]);
  const checked = checkExpression(parseExpression(rule), scope);
  if (checked.type.is !== 'bool') throw new ExpressionError(`must evaluate to a bool, not ${nameOf(checked.type)}`);
  refuseBadConstants(checked.expression);
  return checked;
}

const times = (cost: number, count: number) => (cost === 0 || count === 0 ? 0 : cost * count);

function totalErrors(costs: Findings['costs'], path: FieldPath): FieldError[] {
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= mostExpensiveSchema) return [];
  const expensive = costs
    .toSorted((one, other) => Number(other.cost > one.cost) - Number(one.cost > other.cost))
    .slice(0, mostNamed);
  return [
    ...expensive.flatMap(({ at, cost }) =>
      cost > leastNamed
        ? [forbiddenField(at, 'adds to what the rules of the whole schema may cost, which is too much')]
        : [],
    ),
    ...costErrors('all rules of the schema together', total, mostExpensiveSchema, path),
  ];
}

function costErrors(what: string, cost: number, most: number, at: FieldPath): FieldError[] {
  if (cost <= most) return [];
  const excess = cost > 100 * most ? 'more than 100' : (cost / most).toFixed(cost < 1.5 * most ? 6 : 1);
  const hint = 'limits in the schema (maxItems, maxProperties, maxLength) make rules cheaper';
  return [forbiddenField(at, `the estimated cost of ${what} exceeds budget by factor of ${excess}; ${hint}`)];
}
