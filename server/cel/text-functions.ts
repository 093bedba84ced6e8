import { type Meter, textCost } from './meter.ts';
import { firstPlace, lastPlace, piecesOf } from './text-search.ts';
import { Failure, isList, type Outcome, type Value } from './value.ts';

/** Texts are counted in characters (code points), never in halves of surrogate pairs. */
type TextFunction = (args: readonly Value[], meter: Meter) => Outcome;

const noOverload = new Failure('no such overload');

/** A function on a text whose cost is that of reading it. */
const reading =
  (apply: (text: string, ...args: Value[]) => Outcome): TextFunction =>
  ([text, ...args], meter) => {
    if (typeof text !== 'string') return noOverload;
    meter.charge(textCost(text.length));
    return apply(text, ...args);
  };

const outOfRange = (index: number) => new Failure(`index out of range: ${index}`);

const hasPairs = (text: string) => /[\ud800-\udbff][\udc00-\udfff]/.test(text);
const charactersOf = (text: string): ArrayLike<string> & { slice(start: number, end?: number): string | string[] } =>
  hasPairs(text) ? [...text] : (text as never);

function cut(text: string, start: number, end: number | undefined): Outcome {
  const characters = charactersOf(text);
  const stop = end ?? characters.length;
  if (start < 0 || start > characters.length) return outOfRange(start);
  if (stop < 0 || stop > characters.length) return outOfRange(stop);
  if (start > stop) return new Failure(`invalid substring range. start: ${start}, end: ${stop}`);
  const piece = characters.slice(start, stop);
  return typeof piece === 'string' ? piece : piece.join('');
}

const countBefore = (text: string, index: number) =>
  index < 0 ? -1 : hasPairs(text) ? [...text.slice(0, index)].length : index;

function indexOf(text: string, wanted: Value | undefined, offset: Value | undefined): Outcome {
  if (typeof wanted !== 'string') return noOverload;
  const start = offset === undefined ? 0 : Number(offset);
  const rest = cut(text, start, undefined);
  if (typeof rest !== 'string') return rest;
  const found = countBefore(rest, firstPlace(rest, wanted));
  return BigInt(found < 0 ? -1 : found + start);
}

function lastIndexOf(text: string, wanted: Value | undefined, offset: Value | undefined): Outcome {
  if (typeof wanted !== 'string') return noOverload;
  if (offset === undefined) return BigInt(countBefore(text, lastPlace(text, wanted)));
  const before = cut(text, 0, Number(offset));
  if (typeof before !== 'string') return before;
  return BigInt(countBefore(text, lastPlace(text, wanted, before.length)));
}

const foldAscii = (pattern: RegExp, shift: number) => (text: string) =>
  text.replace(pattern, (letter) => String.fromCharCode(letter.charCodeAt(0) + shift));
const lowerAscii = foldAscii(/[A-Z]/g, 32);
const upperAscii = foldAscii(/[a-z]/g, -32);

function replace([text, wanted, by, most]: readonly Value[], meter: Meter): Outcome {
  if (typeof text !== 'string' || typeof wanted !== 'string' || typeof by !== 'string') return noOverload;
  meter.charge(textCost(text.length));
  const limit = typeof most === 'bigint' && most >= 0n ? Number(most) : Number.POSITIVE_INFINITY;
  const pieces = wanted === '' ? ['', ...text, ''] : piecesOf(text, wanted);
  const times = Math.min(limit, pieces.length - 1);
  meter.charge(textCost(times * by.length));
  let result = pieces[0] ?? '';
  for (let i = 1; i < pieces.length; i++) result += (i <= times ? by : wanted) + pieces[i];
  return result;
}

function split(text: string, by: Value | undefined, most: Value | undefined): Outcome {
  if (typeof by !== 'string') return noOverload;
  const limit = typeof most === 'bigint' && most >= 0n ? Number(most) : Number.POSITIVE_INFINITY;
  if (limit === 0) return [];
  const pieces = by === '' ? [...text] : piecesOf(text, by);
  return pieces.length <= limit ? pieces : [...pieces.slice(0, limit - 1), pieces.slice(limit - 1).join(by)];
}

function join([list, by = '']: readonly Value[], meter: Meter): Outcome {
  if (!isList(list) || typeof by !== 'string') return noOverload;
  if (!list.every((item) => typeof item === 'string'))
    return new Failure('join: list contains a value that is no string');
  const texts = list as readonly string[];
  meter.charge(textCost(texts.reduce((sum, text) => sum + text.length + by.length, 0)));
  return texts.join(by);
}

const search =
  (found: (text: string, wanted: string) => boolean): TextFunction =>
  ([text, wanted], meter) => {
    if (typeof text !== 'string' || typeof wanted !== 'string') return noOverload;
    meter.charge(textCost(text.length));
    return found(text, wanted);
  };

/** The methods of texts, by name. */
export const textFunctions: Readonly<Record<string, TextFunction>> = {
  contains: search((text, wanted) => firstPlace(text, wanted) >= 0),
  startsWith: search((text, wanted) => text.startsWith(wanted)),
  endsWith: search((text, wanted) => text.endsWith(wanted)),
  charAt: reading((text, index) => {
    const characters = charactersOf(text);
    const at = Number(index);
    return at < 0 || at > characters.length ? outOfRange(at) : (characters[at] ?? '');
  }),
  indexOf: reading(indexOf),
  lastIndexOf: reading(lastIndexOf),
  join,
  lowerAscii: reading(lowerAscii),
  upperAscii: reading(upperAscii),
  replace,
  split: reading(split),
  substring: reading((text, start, end) => cut(text, Number(start), end === undefined ? undefined : Number(end))),
  trim: reading((text) => text.replace(/^[\p{White_Space}]+/u, '').trimEnd()),
};
