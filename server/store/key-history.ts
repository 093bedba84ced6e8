import type { Stored } from './store.ts';

/** The key was removed at this revision. */
class Removal {
  readonly revision: number;
  constructor(revision: number) {
    this.revision = revision;
  }
}

type Version = Stored | Removal;

/**
 * Text whose UTF-16 order is the order of the key's UTF-8 bytes. The two differ only where surrogates meet the
 * characters above them, so those trade places; all other keys are their own order.
 */
export const orderOf = (key: string): string =>
  /[\ud800-\uffff]/.test(key) ? key.replace(/[\ud800-\uffff]/g, tradePlaces) : key;

function tradePlaces(unit: string): string {
  const code = unit.charCodeAt(0);
  return String.fromCharCode(code >= 0xe000 ? code - 0x800 : code + 0x2000);
}

/** A run of neighbouring keys; see KeyIndex. */
export interface Leaf {
  /** Of its first key. */
  order: string;
  readonly histories: KeyHistory[];
  /** How many of the keys exist now. */
  live: number;
  /** Since this revision their number stands. */
  countedAt: number;
}

/** All held versions of one key, oldest first. */
export class KeyHistory {
  readonly key: string;
  readonly order: string;
  leaf: Leaf | undefined;
  /** What the key holds now. */
  current: Stored | undefined;
  readonly #versions: Version[] = [];

  constructor(key: string) {
    this.key = key;
    this.order = orderOf(key);
  }

  /** What the key held once all writes up to `revision` were made. */
  at(revision: number): Stored | undefined {
    const versions = this.#versions;
    const last = versions[versions.length - 1];
    const found = last && last.revision <= revision ? last : versions[this.#indexAt(revision)];
    return found instanceof Removal ? undefined : found;
  }

  add(stored: Stored): void {
    this.#versions.push(stored);
    this.current = stored;
  }

  remove(revision: number): void {
    this.#versions.push(new Removal(revision));
    this.current = undefined;
  }

  /** Drops what only revisions below `revision` show. @returns whether nothing is left */
  forgetBelow(revision: number): boolean {
    const index = this.#indexAt(revision);
    if (index < 0) return false;
    const shown = this.#versions[index];
    this.#versions.splice(0, shown instanceof Removal ? index + 1 : index);
    return this.#versions.length === 0;
  }

  /** Position of the newest version up to `revision`; -1 for none. */
  #indexAt(revision: number): number {
    const versions = this.#versions;
    let low = 0;
    let high = versions.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((versions[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
