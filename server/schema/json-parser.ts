import { putMember } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import { badRequest } from '../base/status-error.ts';
import {
  type Decoded,
  duplicateFieldMessage,
  maximumFaults,
  type OddNumbers,
  type UnknownField,
  unknownFieldMessage,
} from './decoded.ts';

/** A step from the root to a value, kept as a chain so that a path is only spelt out for a fault. */
interface Step {
  readonly parent: Step | undefined;
  readonly segment: string | number;
}

/** A key as it stood in the text. */
interface KeyEvent {
  readonly holder: object;
  readonly key: string;
  readonly depth: number;
  readonly step: Step;
  readonly repeated: boolean;
}

function spell(step: Step | undefined): string {
  const segments: string[] = [];
  for (let at = step; at; at = at.parent) {
    segments.push(typeof at.segment === 'number' ? `[${at.segment}]` : at.parent ? `.${at.segment}` : at.segment);
  }
  return segments.reverse().join('');
}

const number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const quoteCode = 0x22;
const backslashCode = 0x5c;
const space = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters may not stand in a string
const plainCharacters = /[^"\\\u0000-\u001f]*/y;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const literals: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * Reads one text that is unusual or wrong: says where a mistake is, which keys stand twice, and how numbers were
 * written. The nesting of the text must be bounded already.
 */
export class CarefulJsonParser {
  readonly #text: string;
  #at = 0;
  readonly #keys: KeyEvent[] = [];
  readonly #odd = new Map<object, Set<string>>();
  #repeats = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws StatusError 400 when it is not JSON */
  decode(): Decoded {
    const root = {};
    this.#skipSpace();
    const value = this.#value(root, '', () => undefined, 0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#mistake('after top-level value');
    const oddNumbers: OddNumbers = this.#odd;
    const faults = (unknown: readonly UnknownField[]) => this.#faults(unknown);
    return { value, oddNumbers, duplicates: this.#faults([]), faults };
  }

  #mistake(where: string): Error {
    if (this.#at >= this.#text.length) return badRequest('json parse error: unexpected end of JSON input');
    const character = JSON.stringify(String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0));
    return badRequest(`json parse error: invalid character ${character} ${where} (offset ${this.#at})`);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at += match[0].length;
    return match;
  }

  #skipSpace(): void {
    if (this.#text.charCodeAt(this.#at) <= 0x20) this.#match(space);
  }

  /** @param step where the value stands, which a path is made of; only what holds others needs it */
  #value(holder: object, key: string | number, step: () => Step | undefined, depth: number): Json {
    const character = this.#text[this.#at] ?? '';
    switch (character) {
      case '{':
        return this.#object(step(), depth);
      case '[':
        return this.#list(step(), depth);
      case '"':
        return this.#string();
    }
    if (character >= 'a') {
      const literal = this.#literal();
      if (literal !== undefined) return literal;
    }
    return this.#number(holder, key);
  }

  #literal(): Json | undefined {
    for (const [word, value] of literals) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return undefined;
  }

  #number(holder: object, key: string | number): Json {
    const match = this.#match(number);
    if (!match) throw this.#mistake('looking for beginning of value');
    const value = Number(match[0]);
    if (match[1] === undefined && match[2] === undefined) {
      if (Number.isSafeInteger(value)) return value;
      if (Number.isFinite(value)) return BigInt(match[0]);
    }
    // Before an integer is read exactly, which takes time that grows with the square of its digits.
    if (!Number.isFinite(value)) {
      const text = match[0].length > 40 ? `${match[0].slice(0, 40)}...` : match[0];
      throw badRequest(`json: number ${text} is out of range`);
    }
    const odd = this.#odd.get(holder);
    if (odd) odd.add(String(key));
    else this.#odd.set(holder, new Set([String(key)]));
    return value;
  }

  #string(): string {
    this.#at++;
    const whole = this.#plainString();
    if (whole !== undefined) return whole;
    let text = '';
    for (;;) {
      text += this.#match(plainCharacters)?.[0] ?? '';
      const character = this.#text[this.#at];
      if (character === '"') break;
      if (character !== '\\') throw this.#mistake('in string literal');
      this.#at++;
      text += this.#escape();
    }
    this.#at++;
    return text.toWellFormed();
  }

  /** Most have nothing special in them; undefined: this one has, or does not end. */
  #plainString(): string | undefined {
    for (let at = this.#at; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === quoteCode) {
        const text = this.#text.slice(this.#at, at);
        this.#at = at + 1;
        return text;
      }
      if (code === backslashCode || code < 0x20 || code > 0x7e) return undefined;
    }
    return undefined;
  }

  #escape(): string {
    const letter = this.#text[this.#at] ?? '';
    if (letter === 'u') {
      const digits = this.#text.slice(this.#at + 1, this.#at + 5);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#mistake('in \\u hexadecimal character escape');
      this.#at += 5;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    if (!Object.hasOwn(escapes, letter)) throw this.#mistake('in string escape code');
    this.#at++;
    return escapes[letter] ?? '';
  }

  #list(step: Step | undefined, depth: number): Json[] {
    const list: Json[] = [];
    this.#at++;
    this.#skipSpace();
    if (this.#text[this.#at] === ']') this.#at++;
    else {
      do {
        this.#skipSpace();
        const index = list.length;
        list.push(this.#value(list, index, () => ({ parent: step, segment: index }), depth + 1));
        this.#skipSpace();
      } while (this.#goesOn(']', 'after array element'));
    }
    return list;
  }

  #object(step: Step | undefined, depth: number): { [key: string]: Json } {
    const object: { [key: string]: Json } = {};
    this.#at++;
    this.#skipSpace();
    if (this.#text[this.#at] === '}') this.#at++;
    else {
      do this.#member(object, step, depth);
      while (this.#goesOn('}', 'after object key:value pair'));
    }
    return object;
  }

  #member(object: { [key: string]: Json }, parent: Step | undefined, depth: number): void {
    this.#skipSpace();
    if (this.#text[this.#at] !== '"') throw this.#mistake('looking for beginning of object key string');
    const key = this.#string();
    const step = { parent, segment: key };
    const repeated = Object.hasOwn(object, key);
    if (repeated) {
      this.#repeats = true;
      this.#odd.get(object)?.delete(key);
    }
    this.#keys.push({ holder: object, key, depth, step, repeated });
    this.#skipSpace();
    if (this.#text[this.#at] !== ':') throw this.#mistake('after object key');
    this.#at++;
    this.#skipSpace();
    putMember(
      object,
      key,
      this.#value(object, key, () => step, depth + 1),
    );
    this.#skipSpace();
  }

  /** Past a comma: true; past the closing bracket: false. */
  #goesOn(closing: string, where: string): boolean {
    const character = this.#text[this.#at];
    if (character !== ',' && character !== closing) throw this.#mistake(where);
    this.#at++;
    return character === ',';
  }

  /** Nothing inside an unknown field counts, and an unknown field counts once. */
  #faults(unknown: readonly UnknownField[]): readonly string[] {
    if (!this.#repeats) return unknown.map(({ path }) => unknownFieldMessage(path));
    const unknownKeys = new Map<object, Set<string>>();
    for (const { holder, key } of unknown) {
      unknownKeys.set(holder, (unknownKeys.get(holder) ?? new Set()).add(key));
    }
    const messages = new Set<string>();
    const told = new Map<object, Set<string>>();
    let inside = Number.POSITIVE_INFINITY;
    for (const { holder, key, depth, step, repeated } of this.#keys) {
      if (depth > inside) continue;
      inside = Number.POSITIVE_INFINITY;
      if (unknownKeys.get(holder)?.has(key)) {
        inside = depth;
        messages.add(unknownFieldMessage(spell(step)));
      } else if (repeated && !told.get(holder)?.has(key)) {
        told.set(holder, (told.get(holder) ?? new Set()).add(key));
        messages.add(duplicateFieldMessage(spell(step)));
      }
      if (messages.size >= maximumFaults) break;
    }
    return [...messages];
  }
}
