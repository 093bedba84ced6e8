import { isInteger } from '../base/json-value.ts';
import { badRequest } from '../base/status-error.ts';

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The parameters of a request's query. Names are case-sensitive; where one is given twice the first counts. */
export class Query {
  readonly #values = new Map<string, string[]>();

  static readonly empty = new Query('');

  /** @param text what stands after `?`; parameters with broken percent-encoding or a bare semicolon are dropped */
  constructor(text: string) {
    const plain = !text.includes('%') && !text.includes('+');
    for (const part of text ? text.split('&') : []) {
      if (part.includes(';')) continue;
      const equals = part.indexOf('=');
      const [sentName, sentValue] = equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
      const name = plain ? sentName : decode(sentName);
      const value = plain ? sentValue : decode(sentValue);
      if (!name || value === undefined) continue;
      const values = this.#values.get(name);
      if (values) values.push(value);
      else this.#values.set(name, [value]);
    }
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  get(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  /** The value, or undefined when the parameter is missing or empty. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.[0] || undefined;
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Everything but `0` and `false` (in any case) is true, also an empty value; undefined when the parameter is missing. */
  flag(name: string): boolean | undefined {
    const value = this.#values.get(name)?.[0];
    return value === undefined ? undefined : value !== '0' && value.toLowerCase() !== 'false';
  }

  /** @throws 400 unless it is a decimal integer of 64 bits */
  integer(name: string): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (/^[+-]?\d{1,20}$/.test(value)) {
      const number = BigInt(value);
      if (isInteger(number)) return Number(number);
    }
    throw badRequest(`unable to decode query parameter ${name}: ${JSON.stringify(value)} is not a 64-bit integer`);
  }
}
