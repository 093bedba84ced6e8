import { type Meter, textCost } from './meter.ts';
import { UrlValue } from './url.ts';
import { callLibrary, isList, isMap, isOpaque, isUint, type Outcome, traitsOf, type Value } from './value.ts';

/** Whether two values are equal. Numbers are compared by what they are worth, sets and map lists without their order. */
export function equal(one: Value, other: Value, meter: Meter): boolean {
  meter.charge(1);
  if (one === other) return true;
  if (typeof one === 'string' && typeof other === 'string') {
    meter.charge(textCost(Math.min(one.length, other.length)));
    return false;
  }
  if (isNumber(one) && isNumber(other)) return worth(one) === worth(other);
  if (isList(one) && isList(other)) return equalLists(one, other, meter);
  if (isMap(one) && isMap(other)) return equalMaps(one, other, meter);
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.from(one).equals(other);
  if (one instanceof UrlValue && other instanceof UrlValue) return one.text === other.text;
  if (one === null || other === null || typeof one !== typeof other) return false;
  return callLibrary('_==_', false, [one, other], 2) === true || sameType(one, other);
}

const sameType = (one: Value, other: Value) =>
  typeof one === 'object' &&
  typeof other === 'object' &&
  one !== null &&
  other !== null &&
  'typeName' in one &&
  'typeName' in other &&
  one.typeName === other.typeName;

type NumberValue = bigint | number | { readonly value: bigint };
export const isNumber = (value: Value): value is NumberValue & Value =>
  typeof value === 'bigint' || typeof value === 'number' || isUint(value);
function worth(value: NumberValue): bigint | number {
  if (typeof value === 'object') return value.value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

function equalLists(one: readonly Value[], other: readonly Value[], meter: Meter): boolean {
  if (one.length !== other.length) return false;
  const traits = traitsOf(one) ?? traitsOf(other);
  if (traits?.kind === 'set') return sameMembers(one, other, meter);
  if (traits?.kind === 'map') return sameItems(one, other, traits.keys, meter);
  return one.every((item, i) => equal(item, other[i] as Value, meter));
}

function sameMembers(one: readonly Value[], other: readonly Value[], meter: Meter): boolean {
  const texts = new Set(other.map((item) => keyText(item, meter)));
  return one.every((item) => texts.has(keyText(item, meter)));
}

function sameItems(one: readonly Value[], other: readonly Value[], keys: readonly string[], meter: Meter): boolean {
  const items = new Map(other.map((item) => [itemKey(item, keys, meter), item]));
  return one.every((item) => {
    const partner = items.get(itemKey(item, keys, meter));
    return partner !== undefined && equal(item, partner, meter);
  });
}

function equalMaps(one: ReadonlyMap<Value, Value>, other: ReadonlyMap<Value, Value>, meter: Meter): boolean {
  if (one.size !== other.size) return false;
  for (const [key, value] of one) {
    const partner = other.get(key);
    if (partner === undefined || !equal(value, partner, meter)) return false;
  }
  return true;
}

/** One text for all values that are equal. */
export function keyText(value: Value, meter: Meter): string {
  meter.charge(1);
  if (isNumber(value)) return String(worth(value));
  if (typeof value === 'string') {
    meter.charge(textCost(value.length));
    return JSON.stringify(value);
  }
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`;
  if (isList(value)) return `[${value.map((item) => keyText(item, meter)).join()}]`;
  if (isMap(value)) {
    const members = [...value].map(([key, member]) => `${keyText(key, meter)}:${keyText(member, meter)}`);
    return `{${members.sort().join()}}`;
  }
  return isOpaque(value) ? `o${String(callLibrary('string', false, [value], 1))}` : String(value);
}

/** The keys of an item of a map list as one text. */
export const itemKey = (item: Value, keys: readonly string[], meter: Meter): string =>
  keys.map((key) => keyText((isMap(item) ? item.get(key) : undefined) ?? null, meter)).join();

/** Less than zero, zero, or more, as `one` comes before `other`; undefined: they have no order. */
export function order(one: Value, other: Value, meter: Meter): number | undefined {
  if (isNumber(one) && isNumber(other)) {
    const [a, b] = [worth(one), worth(other)];
    return a < b ? -1 : a > b ? 1 : a === b ? 0 : undefined;
  }
  if (typeof one === 'string' && typeof other === 'string') {
    meter.charge(textCost(Math.min(one.length, other.length)));
    return one < other ? -1 : one > other ? 1 : 0;
  }
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other);
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other);
  const less: Outcome = callLibrary('_<_', false, [one, other], 2);
  if (typeof less !== 'boolean') return undefined;
  return less ? -1 : equal(one, other, meter) ? 0 : 1;
}
