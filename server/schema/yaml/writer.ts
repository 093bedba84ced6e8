import { perKey } from '../../base/caches/memo.ts';
import { folded } from './fold.ts';

/** Writes any value as a YAML document: slow, and always right. */
export type EncodeAny = (value: unknown) => string;

/** Something that is not written here. */
class Unusual extends Error {}

/**
 * Text that stands for itself, as a key and as a value, unless it is a word that means something: spaces and colons stand
 * inside, and nothing follows a space that would begin a comment or a value. (An exponent is text, but written as if it
 * were a number.)
 */
const plain = /^(?![eE][-+]?[0-9])[A-Za-z](?:[A-Za-z0-9_./{}"',=()@+*-]|[ :](?=[A-Za-z0-9_./{}"',=()@+*-]))*$/;
const words = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const isPlain = (text: string) => plain.test(text) && !words.test(text);

/** Text that would be read as a number. */
const isDigits = (text: string) => /^[0-9]+$/.test(text);

/** Texts up to this length are met again and again; how they are written is remembered for so many. */
const memorable = { length: 128, texts: 5000 };

/**
 * A writer of maps and lists in block style with sorted keys. It leaves to `encodeAny` how a text or number is written
 * that is not plain, and whole values with something unusual in them.
 * @param encodeUnfolded the same, but leaves long texts in one line
 */
export function yamlWriter(encodeAny: EncodeAny, encodeUnfolded: EncodeAny): EncodeAny {
  const scalars = scalarWriter(encodeUnfolded);
  return (value) => {
    if (typeof value !== 'object' || value === null) return encodeAny(value);
    try {
      return Array.isArray(value) ? listText(value, '', scalars) : mapText(membersOf(value), '', scalars);
    } catch (error) {
      if (error instanceof Unusual) return encodeAny(value);
      throw error;
    }
  };
}

interface ScalarWriter {
  key(name: string): string;
  /** May have several lines, those after the first two columns in. One that is long is in one line. */
  value(value: unknown): string;
}

function scalarWriter(encodeAny: EncodeAny): ScalarWriter {
  const key = perKey((name: string) => {
    const [, written] = /^(.+): 0\n$/.exec(encodeAny({ [name]: 0 })) ?? [];
    // Where documents end is quoted at the beginning of a line alone.
    if (!written || written.startsWith('?') || /^(?:---|\.\.\.)/.test(name)) throw new Unusual();
    return written;
  }, memorable.texts);
  const write = (value: unknown) => encodeAny({ a: value }).slice('a: '.length, -1);
  const text = perKey(write, memorable.texts);
  return {
    key: (name) => (isPlain(name) ? name : key(name)),
    value(value) {
      if (typeof value === 'string') {
        if (isPlain(value)) return value;
        if (isDigits(value)) return `"${value}"`;
        return value.length <= memorable.length ? text(value) : write(value);
      }
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : write(value);
    },
  };
}

type Members = readonly (readonly [name: string, value: unknown])[];

function membersOf(map: object): Members {
  const members = Object.entries(map).filter(([, value]) => value !== undefined);
  return members.length > 1 ? members.sort(([one], [other]) => (one < other ? -1 : 1)) : members;
}

/** @param indent what every line begins with */
function mapText(members: Members, indent: string, scalars: ScalarWriter): string {
  if (members.length === 0) return `${indent}{}\n`;
  let text = '';
  for (const [name, value] of members) {
    const key = `${indent}${scalars.key(name)}:`;
    text += key + memberText(value, { indent, column: key.length + 1 }, scalars);
  }
  return text;
}

/** Where a value begins: how its lines do, and where in its first line. */
interface Place {
  readonly indent: string;
  readonly column: number;
}

function memberText(value: unknown, place: Place, scalars: ScalarWriter): string {
  const { indent } = place;
  if (typeof value !== 'object' || value === null) return ` ${scalarText(value, place, scalars)}\n`;
  if (Array.isArray(value)) return value.length > 0 ? `\n${listText(value, indent, scalars)}` : ' []\n';
  const members = membersOf(value);
  return members.length > 0 ? `\n${mapText(members, `${indent}  `, scalars)}` : ' {}\n';
}

function listText(list: readonly unknown[], indent: string, scalars: ScalarWriter): string {
  if (list.length === 0) return `${indent}[]\n`;
  const deeper = `${indent}  `;
  const here = { indent, column: deeper.length };
  let text = '';
  for (const item of list) {
    text += `${indent}- `;
    if (typeof item !== 'object' || item === null) text += `${scalarText(item ?? null, here, scalars)}\n`;
    else {
      const inner = Array.isArray(item) ? listText(item, deeper, scalars) : mapText(membersOf(item), deeper, scalars);
      // Its first line goes on after the dash.
      text += inner.slice(deeper.length);
    }
  }
  return text;
}

function scalarText(value: unknown, { indent, column }: Place, scalars: ScalarWriter): string {
  const text = scalars.value(value);
  if (text.includes('\n')) return indent ? text.replace(/\n(?=[^\n])/g, `\n${indent}`) : text;
  return folded(text, column, `${indent}  `);
}
