import type { Json } from '../base/kube-object.ts';
import { badRequest, entityTooLarge } from '../base/status-error.ts';
import { atOnce, carryOut, longBytes, type Work } from '../base/turns/work.ts';
import { type Decoded, maximumDepth, noOddNumbers, type UnknownField, unknownFieldMessage } from './decoded.ts';
import { CarefulJsonParser } from './json-parser.ts';

const code = (character: string) => character.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const colon = code(':');
const openBrace = code('{');
const closeBrace = code('}');
const openBracket = code('[');
const closeBracket = code(']');
const zero = code('0');
const nine = code('9');
const point = code('.');

/**
 * More than that is in no text that holds an object which can be stored, as far as anybody has seen; to read and check it
 * would hold up everybody else. Many keys of one object cost more than as many of several.
 */
const most = { keysOfOne: 100_000, containers: 400_000, oddNumbers: 100_000 };

const tooMuch = (what: string, limit: number) => entityTooLarge(`the body has more than ${limit} ${what}`);

/** What one look over a text tells; only the depth means something in a text that is not JSON. */
interface Survey {
  readonly keys: number;
  /** A number with a fraction, an exponent or so many digits that a double may lose some; or half of a surrogate pair. */
  readonly odd: boolean;
}

const isExponent = (byte: number) => (byte | 0x20) === code('e');

/** An escape of U+D800 to U+DFFF, which only makes sense in pairs. `at` is where its backslash stands. */
const isSurrogateEscape = (text: Uint8Array, at: number) =>
  text[at + 1] === code('u') && ((text[at + 2] ?? 0) | 0x20) === code('d') && (text[at + 3] ?? 0) >= code('8');

/** How many keys the open objects have so far, by depth; a survey runs to its end before the next begins. */
const keysAt = new Uint32Array(maximumDepth + 1);

/** Works on bytes, which is several times faster than on characters: bytes of other than ASCII cannot be confused. */
function survey(text: Uint8Array): Survey {
  let keys = 0;
  let containers = 0;
  let oddNumbers = 0;
  let depth = 0;
  keysAt[0] = 0;
  let digits = 0;
  let odd = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] as number;
    if (byte === quote) {
      for (at++; at < text.length && text[at] !== quote; at++) {
        if (text[at] !== backslash) continue;
        if (isSurrogateEscape(text, at)) odd = true;
        at++;
      }
    } else if (byte >= zero && byte <= nine) {
      if (++digits > 15) odd = true;
      continue;
    } else if (byte === colon) {
      keys++;
      keysAt[depth] = (keysAt[depth] as number) + 1;
      if ((keysAt[depth] as number) > most.keysOfOne) throw tooMuch('keys in one object', most.keysOfOne);
    } else if (byte === openBrace || byte === openBracket) {
      if (++containers > most.containers) throw tooMuch('objects and lists', most.containers);
      if (++depth > maximumDepth) throw badRequest(`the body is nested more than ${maximumDepth} levels deep`);
      keysAt[depth] = 0;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
    else if (digits > 0 && (byte === point || isExponent(byte))) {
      odd = true;
      if (++oddNumbers > most.oddNumbers) throw tooMuch('fractions', most.oddNumbers);
    }
    digits = 0;
  }
  return { keys, odd };
}

function countKeys(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const each of value) if (typeof each === 'object') count += countKeys(each);
    return count;
  }
  for (const key in value) {
    count++;
    const each = value[key];
    if (typeof each === 'object') count += countKeys(each as Json);
  }
  return count;
}

/**
 * Reads JSON. Nearly every text is read by the engine's own parser; a text with something unusual in it (keys given
 * twice, odd numbers, half surrogate pairs, a mistake) is read again by the careful one.
 * Integers that a double cannot hold become bigints. Bytes that are not UTF-8 and half surrogate pairs become U+FFFD.
 * @throws StatusError 400: not JSON, nested too deep, a byte order mark
 */
export const decodeJson = (body: Uint8Array): Decoded => atOnce(decoding(body));

/** As `decodeJson`, in turns with others where the text is long. @throws StatusError 400 */
export const decodeJsonInTurns = (body: Uint8Array): Promise<Decoded> | Decoded =>
  body.length < longBytes ? atOnce(decoding(body)) : carryOut(decoding(body));

function* decoding(body: Uint8Array): Work<Decoded> {
  const { keys, odd } = survey(body);
  yield;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  let value: Json | undefined;
  try {
    if (!odd) value = JSON.parse(text);
  } catch (error) {
    // What is wrong with it is for the careful one to say.
    if (!(error instanceof SyntaxError)) throw error;
  }
  yield;
  const isFaithful = value !== undefined && countKeys(value) === keys;
  yield;
  return isFaithful ? plain(value as Json) : new CarefulJsonParser(text).decode();
}

/** As `decodeJson`, from text. */
export const decodeJsonText = (text: string): Decoded => decodeJson(Buffer.from(text));

/** What was read without faults of its own. */
export const plain = (value: Json): Decoded => ({
  value,
  oddNumbers: noOddNumbers,
  duplicates: none,
  faults: unknownFields,
});

const none: readonly string[] = [];
const unknownFields = (unknown: readonly UnknownField[]) => unknown.map(({ path }) => unknownFieldMessage(path));
