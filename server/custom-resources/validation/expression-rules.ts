import type { FieldError } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { canonicalJson, isJsonObject, type JsonObject, memberOf } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import { compileExpression, type Evaluator, type Names } from '../../cel/evaluate.ts';
import { ExpressionError, mentions, parseExpression } from '../../cel/expression.ts';
import { Converter } from '../../cel/from-json.ts';
import { Meter, OutOfBudget } from '../../cel/meter.ts';
import { typeOfSchema } from '../../cel/type.ts';
import { Failure, type Outcome } from '../../cel/value.ts';
import { additionalOf, itemsOf, type JsonSchema, type ValidationRule } from '../../schema/json-schema.ts';
import { Findings, noField } from './findings.ts';

/** Checks a value against all rules of its schema; `previous` is what it replaces. Both are only read. */
export type RuleCheck = (value: Json, previous: Json | undefined) => FieldError[];

/** Steps that all rules together may take on one object, and that one rule may take on one value. */
const objectBudget = 10_000_000;
const ruleBudget = 1_000_000;

/** One pass over one object. */
interface Pass {
  readonly found: Findings;
  readonly meter: Meter;
  readonly converter: Converter;
}

/** @throws ExpressionError */
type RefuseRule = (rule: string, schema: JsonSchema) => void;

type Walk = (value: Json, previous: Json | undefined, path: FieldPath, pass: Pass) => void;

/**
 * Compiles the rules of a schema; undefined: it has none. `refuse` throws for a rule that is not in order, which then
 * holds for no value; it is needed where the schema was not validated before.
 */
export function compileRules(schema: JsonSchema, budget = objectBudget, refuse?: RefuseRule): RuleCheck | undefined {
  const walk = compileWalk(schema, refuse);
  if (!walk) return undefined;
  return (value, previous) => {
    const pass: Pass = {
      found: new Findings(),
      meter: new Meter(budget, ruleBudget),
      converter: new Converter(),
    };
    try {
      walk(value, previous, FieldPath.root, pass);
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
    }
    return pass.found.errors;
  };
}

function compileWalk(schema: JsonSchema, refuse?: RefuseRule): Walk | undefined {
  const own = compileOwn(schema, refuse);
  const inner = compileItems(schema, refuse);
  const members = compileMembers(schema, refuse);
  if (!own && !inner && !members) return undefined;
  return (value, previous, path, pass) => {
    if (value === null) return;
    own?.(value, previous, path, pass);
    if (Array.isArray(value)) inner?.(value, previous, path, pass);
    else if (isJsonObject(value)) members?.(value, previous, path, pass);
  };
}

interface Rule {
  readonly text: string;
  readonly message: string;
  readonly evaluate: Evaluator;
  /** Speaks of `oldSelf`, so it only counts when there is one. */
  readonly transition: boolean;
}

function compileRule(given: ValidationRule, schema: JsonSchema, refuse: RefuseRule | undefined): Rule {
  try {
    refuse?.(given.rule ?? '', schema);
    return sound(given);
  } catch (error) {
    if (!refuse || !(error instanceof ExpressionError)) throw error;
    const failure = new Failure(`rule compile error: ${error.message}`);
    return { text: given.rule ?? '', message: '', evaluate: () => failure, transition: false };
  }
}

function sound({ rule = '', message }: ValidationRule): Rule {
  const expression = parseExpression(rule);
  return {
    text: rule,
    message: message?.trim() || `failed rule: ${rule}`,
    evaluate: compileExpression(expression),
    transition: mentions(expression, 'oldSelf'),
  };
}

function compileOwn(schema: JsonSchema, refuse?: RefuseRule): Walk | undefined {
  const given = (schema['x-kubernetes-validations'] ?? []).filter((each) => each?.rule?.trim());
  // Where values have no type rules can say nothing of them, which whoever defines them is told.
  if (given.length === 0 || !typeOfSchema(schema)) return undefined;
  const rules = given.map((each) => compileRule(each, schema, refuse));
  const shown = JSON.stringify(schema.type ?? '');
  return (value, previous, path, pass) => {
    let names: Names = { name: 'self', value: pass.converter.valueOf(value, schema), outer: undefined };
    const old = previous !== undefined && previous !== null;
    if (old) names = { name: 'oldSelf', value: pass.converter.valueOf(previous, schema), outer: names };
    const complain = (why: string) =>
      pass.found.add('FieldValueInvalid', String(path) || noField, `Invalid value: ${shown}: ${why}`);
    for (const rule of rules) {
      if (rule.transition && !old) continue;
      const complaint = judge(rule, run(rule, names, pass.meter, complain));
      if (complaint !== undefined) complain(complaint);
    }
  };
}

const outOfBudget = ({ alone }: OutOfBudget, rule: string): string =>
  alone
    ? `no further validation rules will be run: call cost exceeds limit for rule: ${rule}`
    : 'no further validation rules will be run: the cost budget of them all is used up';

function run({ evaluate, text }: Rule, names: Names, meter: Meter, complain: (why: string) => void): Outcome {
  try {
    meter.begin();
    return evaluate(names, meter);
  } catch (error) {
    if (error instanceof OutOfBudget) complain(outOfBudget(error, text));
    throw error;
  }
}

function judge({ text, message }: Rule, outcome: Outcome): string | undefined {
  if (outcome === true) return undefined;
  return outcome instanceof Failure ? `${outcome.message} evaluating rule: ${text}` : message;
}

function compileItems(schema: JsonSchema, refuse?: RefuseRule): Walk | undefined {
  const items = itemsOf(schema);
  const walk = items && compileWalk(items, refuse);
  if (!walk) return undefined;
  const keys = schema['x-kubernetes-list-type'] === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : undefined;
  return (value, previous, path, pass) => {
    const list = value as readonly Json[];
    const partners =
      keys && Array.isArray(previous) ? new Map(previous.map((item) => [keyOf(item, keys), item])) : undefined;
    for (let i = 0; i < list.length && !pass.found.full; i++) {
      const item = list[i] as Json;
      walk(item, keys && partners?.get(keyOf(item, keys)), path.index(i), pass);
    }
  };
}

/** Items of a map list are the same item when their keys are equal. */
const keyOf = (item: Json, keys: readonly string[]): string =>
  isJsonObject(item) ? canonicalJson(keys.map((key) => memberOf(item, key) ?? null)) : '';

function compileMembers(schema: JsonSchema, refuse?: RefuseRule): Walk | undefined {
  const named = new Map<string, Walk>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const walk = compileWalk(property, refuse);
    if (walk) named.set(name, walk);
  }
  const additional = additionalOf(schema);
  const others = additional && compileWalk(additional, refuse);
  if (named.size === 0 && !others) return undefined;
  return (value, previous, path, pass) => {
    const object = value as JsonObject;
    const before = isJsonObject(previous) ? previous : undefined;
    for (const key of Object.keys(object)) {
      const walk = named.get(key) ?? others;
      const at = named.has(key) ? path.child(key) : path.key(key);
      walk?.(memberOf(object, key) as Json, before && memberOf(before, key), at, pass);
    }
  };
}
