import type { Json } from '../base/kube-object.ts';
import { canonicalAmount, canonicalQuantity } from '../base/quantity.ts';
import type { Scalar } from './structure.ts';

/** Says what is wrong with a value; the walk adds where. */
export class ScalarMistake extends Error {}

const kindOf = (value: Json) => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
};

/** Stands for a whole number that was written such as `5.0` or `1e2` where it is tried whether that may be. */
export const oddlyWritten = 0.1 + 0.2;

/** The mistake of a value of another type than the wanted one. */
export const wrongType = (value: Json, wanted: string) => {
  const number = value === oddlyWritten ? 'with a fraction or an exponent' : value;
  const shown = typeof value === 'number' || typeof value === 'bigint' ? `number ${number}` : kindOf(value);
  return new ScalarMistake(`json: cannot unmarshal ${shown} into a field of type ${wanted}`);
};

function integer(value: Json, odd: boolean, least: bigint, most: bigint, name: string): Json {
  const fits = typeof value === 'bigint' || (typeof value === 'number' && !odd && Number.isInteger(value));
  if (!fits || value < least || value > most) throw wrongType(value, name);
  return value;
}

const bits = { int32: 32, int64: 64 } as const;

/**
 * A whole number as it comes out of a conversion that does not look at its size: only the lowest bits are left, and
 * of what does not fit into 64 bits the lowest number of these. Other values are as they were.
 */
export function wrapped(value: Json, scalar: Scalar): Json {
  if (scalar !== 'int32' && scalar !== 'int64') return value;
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isInteger(value))) return value;
  const whole = BigInt(value);
  const in64 = whole === BigInt.asIntN(64, whole) ? whole : -(2n ** 63n);
  const cut = BigInt.asIntN(bits[scalar], in64);
  return Number.isSafeInteger(Number(cut)) ? Number(cut) : cut;
}

function int32(value: Json, odd: boolean): Json {
  if (typeof value === 'number' && (value | 0) === value && !odd) return value;
  throw wrongType(value, 'int32');
}

function double(value: Json): Json {
  if (typeof value === 'number') return value;
  if (typeof value !== 'bigint') throw wrongType(value, 'float64');
  return Number(value);
}

const timeForm = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[-+](\d\d):(\d\d))$/;

const secondsOf = (text: string) => Date.parse(text) / 1000;
const earliest = secondsOf('0000-01-01T00:00:00Z');
const latest = secondsOf('9999-12-31T23:59:59Z');
const zeroTime = secondsOf('0001-01-01T00:00:00Z');

/** Seconds since the epoch of an RFC 3339 time, and its fraction with the point. Days must exist in their month. */
function wholeSeconds(text: string, fraction: 'any' | 'six digits'): { seconds: number; digits: string } | undefined {
  const match = timeForm.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, digits = '', zone = '', zoneHours = '0', zoneMinutes = '0'] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!exists || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return undefined;
  if (fraction === 'six digits' && digits.length !== 7) return undefined;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (zone.startsWith('-') ? -60 : 60);
  const seconds = date.getTime() / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  return seconds >= earliest && seconds <= latest ? { seconds, digits } : undefined;
}

const spellSeconds = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, -5);

/** Times that were read last, as they are spelt: objects come back with those that they got. */
const spelt = new Set<string>();
const rememberAtMost = 1000;

function time(value: Json): Json {
  if (typeof value !== 'string') throw wrongType(value, 'time');
  if (spelt.has(value)) return value;
  const read = wholeSeconds(value, 'any');
  if (!read) throw new ScalarMistake(`parsing time ${JSON.stringify(value)}: want RFC 3339`);
  if (read.seconds === zeroTime) return null;
  const text = `${spellSeconds(read.seconds)}Z`;
  if (spelt.size >= rememberAtMost) spelt.clear();
  spelt.add(text);
  return text;
}

function microTime(value: Json): Json {
  if (typeof value !== 'string') throw wrongType(value, 'time');
  const read = wholeSeconds(value, 'six digits');
  if (!read) throw new ScalarMistake(`parsing time ${JSON.stringify(value)}: want RFC 3339 with six fraction digits`);
  if (read.seconds === zeroTime && /^\.0+$/.test(read.digits)) return null;
  return `${spellSeconds(read.seconds)}${read.digits}Z`;
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function bytes(value: Json): Json {
  if (Array.isArray(value)) return listedBytes(value);
  if (typeof value !== 'string') throw wrongType(value, 'bytes');
  const text = value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]+/g, '') : value;
  if (text.length % 4 !== 0 || !base64.test(text)) throw new ScalarMistake('illegal base64 data');
  if (!text.endsWith('=')) return text;
  // The bits that padding leaves over are cleared.
  return text.slice(0, -4) + Buffer.from(text.slice(-4), 'base64').toString('base64');
}

/** Bytes may be given one by one, too. */
function listedBytes(list: readonly Json[]): string {
  const isByte = (each: Json) => typeof each === 'number' && Number.isInteger(each) && each >= 0 && each <= 255;
  const other = list.find((each) => each !== null && !isByte(each));
  if (other !== undefined) throw wrongType(other, 'byte');
  return Buffer.from(list as number[]).toString('base64');
}

function quantity(value: Json, canonicalForm: (text: string) => string | undefined): Json {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  if (typeof text !== 'string') throw wrongType(value, 'quantity');
  const canonical = canonicalForm(text);
  if (canonical === undefined) {
    throw new ScalarMistake(`quantity ${JSON.stringify(text)} must match a number with an optional suffix`);
  }
  return canonical;
}

/**
 * The value as a typed server holds it; null stands for the zero time. `odd`: the number was written with a fraction
 * or an exponent. @throws ScalarMistake
 */
export function readScalar(value: Json, scalar: Scalar, odd: boolean): Json {
  switch (scalar) {
    case 'string':
      if (typeof value !== 'string') throw wrongType(value, 'string');
      return value;
    case 'boolean':
      if (typeof value !== 'boolean') throw wrongType(value, 'bool');
      return value;
    case 'int32':
      return int32(value, odd);
    case 'int64':
      return integer(value, odd, -(2n ** 63n), 2n ** 63n - 1n, 'int64');
    case 'double':
      return double(value);
    case 'bytes':
      return bytes(value);
    case 'time':
      return time(value);
    case 'microTime':
      return microTime(value);
    case 'quantity':
      return quantity(value, canonicalQuantity);
    case 'amount':
      return quantity(value, canonicalAmount);
    case 'intOrString':
      return typeof value === 'string' ? value : int32(value, odd);
  }
}

/** What a typed server writes for an absent value that is always there. */
export const zeroScalars: Readonly<Record<Scalar, Json>> = {
  string: '',
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: '',
  time: null,
  microTime: null,
  quantity: '0',
  amount: '0',
  intOrString: 0,
};
