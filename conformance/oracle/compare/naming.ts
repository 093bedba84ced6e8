import type { Played } from '../play/play.ts';
import type { Caller } from './caller.ts';

/** A moment: seconds after the play began, and how many digits its fraction had. */
export interface Moment {
  readonly $seconds: number;
  readonly $digits: number;
}

/** A prefix is cut to this before a suffix is put to it. */
const longestPrefix = 58;
/** A moment further from the play than this was chosen by somebody, not read from a clock. */
const nearby = 48 * 3600_000;

/** What one play has shown so far: the same thing has the same name on both sides. */
export class Naming {
  readonly #names = new Map<string, string>();
  readonly #begun: number;
  readonly #own: string;
  /** What was sent: what stands in all of it was not chosen by the server. */
  readonly #sent: readonly string[];
  readonly #prefixes: readonly string[];
  /** What was looked for in it. */
  readonly #found = new Map<string, boolean>();
  /** Who plays, where that is told apart. */
  readonly caller: Caller | undefined;

  constructor({ begun, own, sent }: Pick<Played, 'begun' | 'own' | 'sent'>, caller?: Caller) {
    this.caller = caller;
    this.#begun = begun;
    this.#own = own;
    this.#sent = sent;
    const prefixes = [...(sent[0] ?? '').matchAll(/"generateName":"([^"]+)"/g)].map(([, prefix = '']) =>
      prefix.slice(0, longestPrefix),
    );
    this.#prefixes = [...new Set(prefixes)];
  }

  /** The name of a value that the server chose: where it was seen first. */
  called(value: string, where: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const name = `<${where}>`;
    this.#names.set(value, name);
    return name;
  }

  known(value: string): string | undefined {
    return this.#names.get(value);
  }

  wasSent(value: string | number): boolean {
    const text = String(value);
    const known = this.#found.get(text);
    if (known !== undefined) return known;
    const found = this.#sent.every((one) => one.includes(text));
    this.#found.set(text, found);
    return found;
  }

  /** Whether a number or an address was: an address that was sent may begin with another one. */
  wasSentWhole(value: string | number): boolean {
    const text = String(value);
    const whole = new RegExp(`(?<![\\w.])${text.replaceAll('.', '\\.')}(?![\\w.])`);
    return this.wasSent(text) && this.#sent.every((one) => whole.test(one));
  }

  /** A name that the server made up of a prefix that was sent. */
  withoutSuffix(text: string): string {
    const prefix = this.#prefixes.find((one) => text.length === one.length + 5 && text.startsWith(one));
    return prefix === undefined || this.wasSent(`"${text}"`) ? text : `${prefix}*****`;
  }

  withoutOwn(text: string): string {
    return text.length >= this.#own.length && text.includes(this.#own) ? text.replaceAll(this.#own, '<own>') : text;
  }

  isOwn(text: string): boolean {
    return text.includes('<own>') || text.includes(this.#own);
  }

  /** Versions are short and look like any number, so they are looked up only where a version stands. */
  version(value: string, where: string): string {
    return this.called(`version ${value}`, where);
  }

  /** @param reckoned the server has reckoned it from its clock, however far away it is */
  moment(milliseconds: number, digits: number, reckoned = false): Moment | undefined {
    const away = milliseconds - this.#begun;
    return reckoned || Math.abs(away) < nearby ? { $seconds: Math.round(away / 1000), $digits: digits } : undefined;
  }
}
