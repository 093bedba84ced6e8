import { compilePattern } from '../schema/regular-expression.ts';
import { isNumber } from './compare.ts';
import { conversions } from './conversions.ts';
import { type Expression, ExpressionError, partsOf } from './expression.ts';
import { implementations } from './functions.ts';
import { celLibrary } from './library.ts';
import { Meter } from './meter.ts';
import { Failure, type Value } from './value.ts';

/** A constant; undefined: the expression depends on more than itself. */
type Constant = { readonly value: Value } | undefined;

const converting: ReadonlySet<string> = new Set([...Object.keys(conversions), 'type']);
const matching: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/**
 * Finds what can be known to fail before there is a value: conversions of constants, and constant patterns and keys.
 *
 * @throws ExpressionError there is such a part
 */
export function refuseBadConstants(expression: Expression): void {
  constantOf(expression);
}

function constantOf(expression: Expression): Constant {
  const { exprKind } = expression;
  if (exprKind.case === 'constExpr') return { value: literal(exprKind.value.constantKind) };
  const parts = partsOf(expression).map(constantOf);
  if (exprKind.case === 'listExpr') return allOf(parts, (values) => values);
  if (exprKind.case === 'structExpr' && !exprKind.value.messageName) return allOf(parts, (values) => mapOf(values));
  if (exprKind.case !== 'callExpr') return undefined;
  const name = exprKind.value.function;
  if (exprKind.value.target && matching.has(name)) refuseBadPattern(parts[1]);
  if (name === '_[_]') refuseBadKey(parts[1]);
  return converting.has(name) ? converted(name, parts) : undefined;
}

function literal({ case: kind, value }: { case: string | undefined; value?: unknown }): Value {
  if (kind === 'nullValue') return null;
  if (kind === 'int64Value' && BigInt.asIntN(64, value as bigint) !== value)
    throw new ExpressionError(`${value} is no integer of 64 bits`);
  return kind === 'uint64Value' ? celLibrary().celUint(value as bigint) : (value as Value);
}

const allOf = (parts: readonly Constant[], make: (values: Value[]) => Value): Constant =>
  parts.every((part) => part !== undefined)
    ? { value: make(parts.map((part) => (part as { value: Value }).value)) }
    : undefined;

function mapOf(values: readonly Value[]): Value {
  const map = new Map<Value, Value>();
  for (let i = 0; i < values.length; i += 2) map.set(values[i] as Value, values[i + 1] as Value);
  return map;
}

function converted(name: string, [part]: readonly Constant[]): Constant {
  if (!part) return undefined;
  const value = implementations[name]?.([part.value], new Meter(1_000_000));
  if (value instanceof Failure) throw new ExpressionError(`${name}(): ${value.message}`);
  return value === undefined ? undefined : { value };
}

/** What cannot be the key of a map or the place in a list: anything but a number, a truth value or a text. */
function refuseBadKey(key: Constant): void {
  if (key === undefined || typeof key.value === 'string') return;
  if (typeof key.value === 'boolean' || isNumber(key.value)) return;
  throw new ExpressionError('a constant of this type cannot be a key or index');
}

function refuseBadPattern(pattern: Constant): void {
  if (typeof pattern?.value !== 'string') return;
  try {
    compilePattern(pattern.value);
  } catch (error) {
    throw new ExpressionError(`no regular expression: ${error instanceof Error ? error.message : String(error)}`);
  }
}
