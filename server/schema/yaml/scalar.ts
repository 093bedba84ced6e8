import type { Json } from '../../base/kube-object.ts';

const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

const integer = /^([-+]?)(0x[0-9a-fA-F_]+|0b[01_]+|0o[0-7_]+|0[0-7_]+|0|[1-9][0-9_]*)$/;
const float = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const noNumber = /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/;

const int64 = 2n ** 63n;
const uint64 = 2n ** 64n;

function readInteger(sign: string, digits: string): Json {
  const text = digits.replaceAll('_', '');
  const magnitude = BigInt(/^0[0-7]+$/.test(text) ? `0o${text.slice(1)}` : text);
  const value = sign === '-' ? -magnitude : magnitude;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  return value >= -int64 && value < uint64 ? value : number;
}

/** More digits than this are no 64-bit integer, and costly to read exactly. */
const mostDigits = 80;

function readNumber(text: string): Json | undefined {
  if (!/^[-+.0-9]/.test(text)) return undefined;
  const match = text.length <= mostDigits ? integer.exec(text) : null;
  if (match?.[2] && /[0-9a-fA-F]$/.test(match[2])) return readInteger(match[1] ?? '', match[2]);
  return float.test(text) ? Number(text) : undefined;
}

const core = 'tag:yaml.org,2002:';

/**
 * The value of a scalar: a plain one may be null, a boolean or a number by YAML 1.1 (dates stay text); a quoted one
 * is text. An explicit tag overrules that. Undefined when JSON has no such value.
 */
export function resolvePlain(text: string, plain: boolean, tag: string | undefined): Json | undefined {
  if (tag === `${core}str` || (!plain && !tag)) return text;
  if (tag === `${core}binary`) return Buffer.from(text, 'base64').toString('utf8');
  if (!plain && !tag?.startsWith(core)) return text;
  const word = words.get(text);
  if (word !== undefined) return word;
  if (noNumber.test(text)) return undefined;
  const number = readNumber(text);
  if (number === undefined) return tag?.startsWith(core) && !tag.endsWith('timestamp') ? undefined : text;
  return typeof number === 'number' && !Number.isFinite(number) ? undefined : number;
}
