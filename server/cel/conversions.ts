import { celLibrary } from './library.ts';
import {
  callLibrary,
  Failure,
  isOpaque,
  isUint,
  type Opaque,
  type Outcome,
  type Value,
  zoned,
  zoneOf,
} from './value.ts';

/** The functions that turn a value of one type into another. All take one argument. */

const noOverload = new Failure('no such overload');
const outOfRange = new Failure('integer overflow');
const asInt = (value: bigint): Outcome => (BigInt.asIntN(64, value) === value ? value : outOfRange);
const asUint = (value: bigint): Outcome =>
  BigInt.asUintN(64, value) === value ? celLibrary().celUint(value) : outOfRange;

/** Seconds and nanoseconds of a timestamp or duration. */
const clockOf = ({ message }: Opaque) => message as { $typeName: string; seconds: bigint; nanos: number };
const isDuration = (value: Opaque) => clockOf(value).$typeName === 'google.protobuf.Duration';

const bad = (text: string, type: string) => new Failure(`cannot convert ${JSON.stringify(text)} to ${type}`);

function whole(value: Value | undefined, type: 'int' | 'uint', make: (value: bigint) => Outcome): Outcome {
  if (typeof value === 'bigint') return make(value);
  if (typeof value === 'number') return Number.isFinite(value) ? make(BigInt(Math.trunc(value))) : outOfRange;
  if (typeof value !== 'string') return value !== undefined && isUint(value) ? make(value.value) : noOverload;
  return (type === 'int' ? /^[+-]?\d+$/ : /^\d+$/).test(value)
    ? make(BigInt(value.replace('+', '')))
    : bad(value, type);
}

function toInt([value]: readonly Value[]): Outcome {
  if (value === undefined || !isOpaque(value)) return whole(value, 'int', asInt);
  const { seconds, nanos } = clockOf(value);
  return isDuration(value) ? asInt(seconds * 1_000_000_000n + BigInt(nanos)) : seconds;
}

const notFinite: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
};

function toDouble([value]: readonly Value[]): Outcome {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') return value !== undefined && isUint(value) ? Number(value.value) : noOverload;
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(value)) return Number(value);
  if (/^nan$/i.test(value)) return Number.NaN;
  const infinite = notFinite[value.toLowerCase().replace(/^[+-]/, '')];
  return infinite === undefined ? bad(value, 'double') : value.startsWith('-') ? -infinite : infinite;
}

const truths = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const untruths = ['0', 'f', 'F', 'FALSE', 'false', 'False'];

function toBool([value]: readonly Value[]): Outcome {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return noOverload;
  return truths.includes(value) ? true : untruths.includes(value) ? false : bad(value, 'bool');
}

/** A double as it is written in a text: with an exponent from a million on, and below a ten-thousandth. */
function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (value === 0 || (power >= -4 && power < 6)) return plain(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const plain = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

function toText([value]: readonly Value[]): Outcome {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return doubleText(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value === undefined || value === null) return noOverload;
  if (isUint(value)) return String(value.value);
  if (value instanceof Uint8Array) return callLibrary('string', false, [value], 1);
  if (!isOpaque(value)) return noOverload;
  return isDuration(value) ? durationText(value) : timestampText(value);
}

/** A fraction of a second, from nanoseconds, without zeros at its end. */
const fraction = (nanos: number) => (nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`);

function durationText(value: Opaque): string {
  const { seconds, nanos } = clockOf(value);
  const sign = seconds < 0n || nanos < 0 ? '-' : '';
  return `${sign}${seconds < 0n ? -seconds : seconds}${fraction(Math.abs(nanos))}s`;
}

/** In the zone that it was written in. */
function timestampText(value: Opaque): string {
  const { seconds, nanos } = clockOf(value);
  const zone = zoneOf(value);
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? [];
  const offset = sign ? (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1) : 0;
  const moment = new Date((Number(seconds) + offset * 60) * 1000).toISOString().slice(0, 19);
  return `${moment}${fraction(nanos)}${offset === 0 ? 'Z' : zone}`;
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(Z|[+-]\d\d:\d\d)$/;

function toTimestamp([value]: readonly Value[]): Outcome {
  if (typeof value === 'bigint') return timestampOf(new Date(Number(value) * 1000));
  if (typeof value === 'string') {
    const zone = moment.exec(value)?.[1];
    if (zone === undefined) return bad(value, 'timestamp');
    // More than nine digits of a fraction are cut off.
    const made = callLibrary('timestamp', false, [value.replace(/[.,](\d{1,9})\d*/, '.$1')], 1);
    return made instanceof Failure ? made : zoned(made as Opaque, zone);
  }
  return value !== undefined && isOpaque(value) && !isDuration(value) ? value : noOverload;
}

const timestampOf = (date: Date): Outcome =>
  Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999
    ? new Failure('timestamp overflow')
    : callLibrary('timestamp', false, [date.toISOString()], 1);

function toDuration([value]: readonly Value[]): Outcome {
  if (value === '') return bad(value, 'duration');
  if (typeof value === 'string') return callLibrary('duration', false, [value.replaceAll('μ', 'µ')], 1);
  // The checker knows a form for integers, but there is nothing behind it.
  return value !== undefined && isOpaque(value) && isDuration(value) ? value : noOverload;
}

function toBytes([value]: readonly Value[]): Outcome {
  if (typeof value === 'string') return Buffer.from(value);
  return value instanceof Uint8Array ? value : noOverload;
}

/** Milliseconds of a whole duration, not only those after its last full second. */
export function millisecondsOf([value, ...zone]: readonly Value[]): Outcome {
  if (value === undefined || !isOpaque(value)) return noOverload;
  if (!isDuration(value)) return callLibrary('getMilliseconds', true, [value, ...zone], 1 + zone.length);
  const { seconds, nanos } = clockOf(value);
  return seconds * 1000n + BigInt(Math.trunc(nanos / 1_000_000));
}

export const conversions = {
  int: toInt,
  uint: ([value]) => whole(value, 'uint', asUint),
  double: toDouble,
  bool: toBool,
  string: toText,
  bytes: toBytes,
  timestamp: toTimestamp,
  duration: toDuration,
  dyn: ([value]) => value as Value,
} satisfies Readonly<Record<string, (args: readonly Value[]) => Outcome>>;
