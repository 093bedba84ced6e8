import { compilePattern } from '../schema/regular-expression.ts';
import { equal, itemKey, keyText, order } from './compare.ts';
import { conversions, millisecondsOf } from './conversions.ts';
import { type Meter, textCost } from './meter.ts';
import { textFunctions } from './text-functions.ts';
import { parseUrl, UrlValue } from './url.ts';
import { callLibrary, Failure, isList, isMap, type Outcome, traitsOf, type Value, withTraits } from './value.ts';

/** A function as it is carried out; methods get their receiver first. */
export type Implementation = (args: readonly Value[], meter: Meter) => Outcome;

const failure = (text: string) => new Failure(text);

function size([value]: readonly Value[], meter: Meter): Outcome {
  if (typeof value === 'string') {
    meter.charge(textCost(value.length));
    return BigInt(characters(value));
  }
  if (isList(value) || value instanceof Uint8Array) return BigInt(value.length);
  return isMap(value) ? BigInt(value.size) : failure('no size');
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function add(args: readonly Value[], meter: Meter): Outcome {
  const [one, other] = args as readonly [Value, Value];
  if (typeof one === 'string' && typeof other === 'string') {
    meter.charge(textCost(one.length + other.length));
    return one + other;
  }
  if (isList(one) && isList(other)) return concatenate(one, other, meter);
  if (typeof one === 'bigint' && typeof other === 'bigint') return inRange(one + other);
  return callLibrary('_+_', false, args, 2);
}

const inRange = (value: bigint): Outcome => (BigInt.asIntN(64, value) === value ? value : failure('integer overflow'));

function concatenate(one: readonly Value[], other: readonly Value[], meter: Meter): readonly Value[] {
  meter.charge(one.length + other.length);
  const traits = traitsOf(one);
  if (!traits) return [...one, ...other];
  const identity = (item: Value) => (traits.kind === 'set' ? keyText(item, meter) : itemKey(item, traits.keys, meter));
  const merged = new Map<string, Value>(one.map((item) => [identity(item), item]));
  for (const item of other) merged.set(identity(item), item);
  return withTraits([...merged.values()], traits);
}

function isIn([item, holder]: readonly Value[], meter: Meter): Outcome {
  if (isMap(holder)) return holder.has(item as Value);
  return isList(holder) ? holder.some((each) => equal(each, item as Value, meter)) : failure('no list or map');
}

function at([holder, key]: readonly Value[]): Outcome {
  if (isMap(holder))
    return holder.get(key as Value) ?? (holder.has(key as Value) ? null : failure(`no such key: ${String(key)}`));
  if (!isList(holder)) return failure('no such overload');
  const index = Number(key);
  const item = holder[index];
  return item === undefined ? failure(`index out of bounds: ${index}`) : item;
}

const compares =
  (holds: (order: number) => boolean): Implementation =>
  ([one, other], meter) => {
    const found = order(one as Value, other as Value, meter);
    return found === undefined ? failure('no such overload') : holds(found);
  };

const listOf = (value: Value | undefined): readonly Value[] => (isList(value) ? value : []);

const isSorted: Implementation = ([list], meter) => {
  const items = listOf(list);
  meter.charge(items.length);
  return items.every((item, i) => i === 0 || (order(items[i - 1] as Value, item, meter) ?? 0) <= 0);
};

const extreme =
  (name: string, sign: number): Implementation =>
  ([list], meter) => {
    const [first, ...rest] = listOf(list);
    if (first === undefined) return failure(`${name} called on empty list`);
    meter.charge(rest.length);
    return rest.reduce((best, item) => (sign * (order(item, best, meter) ?? 0) > 0 ? item : best), first);
  };

const sum: Implementation = ([list], meter) => {
  const [first, ...rest] = listOf(list);
  if (first === undefined) return 0n;
  return rest.reduce<Outcome>((total, item) => (total instanceof Failure ? total : add([total, item], meter)), first);
};

const positionIn = (list: readonly Value[], item: Value, meter: Meter, last: boolean): bigint =>
  BigInt(
    last ? list.findLastIndex((each) => equal(each, item, meter)) : list.findIndex((each) => equal(each, item, meter)),
  );

const indexOf =
  (name: 'indexOf' | 'lastIndexOf'): Implementation =>
  (args, meter) => {
    const [holder, item] = args;
    if (isList(holder)) return positionIn(holder, item as Value, meter, name === 'lastIndexOf');
    return (textFunctions[name] as Implementation)(args, meter);
  };

function pattern(text: Value | undefined, source: Value | undefined, meter: Meter) {
  if (typeof text !== 'string' || typeof source !== 'string') return failure('no such overload');
  // Matching is linear in the text, and each step costs as much as the expression is long.
  const charge = () => meter.charge(textCost(text.length) * (1 + source.length / 4));
  charge();
  try {
    return { text, expression: compilePattern(source), charge };
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}

const matches: Implementation = ([text, source], meter) => {
  const found = pattern(text, source, meter);
  return found instanceof Failure ? found : found.expression.found(found.text);
};

const find: Implementation = ([text, source], meter) => {
  const found = pattern(text, source, meter);
  return found instanceof Failure ? found : (found.expression.first(found.text) ?? '');
};

const findAll: Implementation = ([text, source, limit], meter) => {
  const found = pattern(text, source, meter);
  if (found instanceof Failure) return found;
  const most = typeof limit === 'bigint' && limit >= 0n ? Number(limit) : Number.POSITIVE_INFINITY;
  return found.expression.all(found.text, most, found.charge);
};

const toUrl: Implementation = ([text]) => {
  if (text instanceof UrlValue) return text;
  return (typeof text === 'string' ? parseUrl(text) : undefined) ?? failure(`no URL: ${JSON.stringify(text)}`);
};

const part =
  (of: (url: UrlValue) => Value): Implementation =>
  ([url]) =>
    url instanceof UrlValue ? of(url) : failure('no such overload');

/** `type(x)` compares by name. */
function typeOf([value]: readonly Value[]): Outcome {
  if (value instanceof UrlValue) return { typeName: 'kubernetes.URL' };
  if (isList(value)) return { typeName: 'list' };
  if (isMap(value)) return { typeName: 'map' };
  const found = callLibrary('type', false, [value as Value], 1);
  return found instanceof Failure ? found : { typeName: String((found as { name?: string } | null)?.name) };
}

/** Functions that are carried out here; all others are the library's. Those with a dot in front are methods. */
export const implementations: Readonly<Partial<Record<string, Implementation>>> = {
  ...Object.fromEntries(Object.entries(textFunctions).map(([name, each]) => [`.${name}`, each])),
  ...conversions,
  size,
  '.size': size,
  '_+_': add,
  '@in': isIn,
  '_[_]': at,
  '_==_': ([one, other], meter) => equal(one as Value, other as Value, meter),
  '_!=_': ([one, other], meter) => !equal(one as Value, other as Value, meter),
  '_<_': compares((found) => found < 0),
  '_<=_': compares((found) => found <= 0),
  '_>_': compares((found) => found > 0),
  '_>=_': compares((found) => found >= 0),
  '!_': ([value]) => (typeof value === 'boolean' ? !value : failure('no such overload')),
  type: typeOf,
  '.matches': matches,
  '.getMilliseconds': millisecondsOf,
  '.isSorted': isSorted,
  '.sum': sum,
  '.min': extreme('min', -1),
  '.max': extreme('max', 1),
  '.indexOf': indexOf('indexOf'),
  '.lastIndexOf': indexOf('lastIndexOf'),
  '.find': find,
  '.findAll': findAll,
  url: toUrl,
  isURL: ([text]) => typeof text === 'string' && parseUrl(text) !== undefined,
  '.getScheme': part((url) => url.scheme),
  '.getHost': part((url) => url.host),
  '.getHostname': part((url) => url.hostname),
  '.getPort': part((url) => url.port),
  '.getEscapedPath': part((url) => url.path),
  '.getQuery': part((url) => url.parameters),
};
