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

const fullLeaf = 512;
const sparseLeaf = fullLeaf / 4;

/** Where a key stands, or would stand. */
interface Position {
  readonly leaf: number;
  readonly offset: number;
}

/** The first index at which `isPast` holds, in a row where it holds from somewhere on. */
function firstIndex(length: number, isPast: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first index of what comes after `order`, in a row that ascends. Each new key is looked up so. */
function firstAfter(row: readonly { readonly order: string }[], order: string): number {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((row[middle]?.order ?? '') > order) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The keys in byte order, in leaves of some hundred neighbours: a new key moves only its leaf's, and a range is a walk.
 * Each leaf knows how many of its keys exist, so that counting a range does not visit them.
 */
export class KeyIndex {
  readonly #leaves: Leaf[] = [];

  insert(history: KeyHistory): void {
    const { order } = history;
    const index = Math.max(0, firstAfter(this.#leaves, order) - 1);
    const leaf = this.#leaves[index] ?? this.#addLeaf();
    const offset = firstAfter(leaf.histories, order);
    leaf.histories.splice(offset, 0, history);
    if (offset === 0) leaf.order = order;
    history.leaf = leaf;
    if (leaf.histories.length > fullLeaf) this.#split(index, leaf);
  }

  /** Takes out a key that exists no more and of which no version is held. */
  remove(history: KeyHistory): void {
    // Behind it, since before the first key of a leaf is the end of the one before.
    const { leaf, offset } = this.#upperBound(history.order);
    const home = this.#leaves[leaf];
    if (home?.histories[offset - 1] !== history) return;
    home.histories.splice(offset - 1, 1);
    home.order = home.histories[0]?.order ?? '';
    history.leaf = undefined;
    if (home.histories.length < sparseLeaf) this.#merge(leaf, home);
  }

  /** Notes that a key in the index came into being (1) or went (-1). */
  count({ leaf }: KeyHistory, revision: number, by: 1 | -1): void {
    if (!leaf) return;
    leaf.countedAt = revision;
    leaf.live += by;
  }

  /** Keys that exist now and begin with the prefix. */
  countLive(prefix: string): number {
    const order = orderOf(prefix);
    return this.#countBetween(this.#lowerBound(order), this.#endOf(order), Number.POSITIVE_INFINITY);
  }

  /**
   * The first `limit` versions (0: all) that the revision shows under the prefix, of keys greater than `after`, and
   * how many more follow.
   */
  range<T>(
    prefix: string,
    revision: number,
    limit: number,
    after: string | undefined,
    pick: (history: KeyHistory) => T | undefined,
  ) {
    const order = orderOf(prefix);
    const afterOrder = after === undefined ? '' : orderOf(after);
    const start = after !== undefined && afterOrder >= order ? this.#upperBound(afterOrder) : this.#lowerBound(order);
    const end = this.#endOf(order);
    const items: T[] = [];
    const wanted = limit > 0 ? limit : Number.POSITIVE_INFINITY;
    for (let leaf = start.leaf; leaf <= end.leaf; leaf++) {
      const histories = this.#leaves[leaf]?.histories ?? [];
      const stop = leaf === end.leaf ? end.offset : histories.length;
      for (let offset = leaf === start.leaf ? start.offset : 0; offset < stop; offset++) {
        const item = pick(histories[offset] as KeyHistory);
        if (item === undefined) continue;
        items.push(item);
        if (items.length === wanted) {
          return { items, remaining: this.#countBetween({ leaf, offset: offset + 1 }, end, revision) };
        }
      }
    }
    return { items, remaining: 0 };
  }

  #countBetween(start: Position, end: Position, revision: number): number {
    let count = 0;
    for (let index = start.leaf; index <= end.leaf; index++) {
      const leaf = this.#leaves[index];
      if (!leaf) break;
      const from = index === start.leaf ? start.offset : 0;
      const to = index === end.leaf ? end.offset : leaf.histories.length;
      if (from === 0 && to === leaf.histories.length && leaf.countedAt <= revision) count += leaf.live;
      else for (let i = from; i < to; i++) if (leaf.histories[i]?.at(revision)) count++;
    }
    return count;
  }

  #firstOrder = (leaf: number) => this.#leaves[leaf]?.histories[0]?.order ?? '';

  #lowerBound = (order: string) => this.#find((each) => each >= order);
  #upperBound = (order: string) => this.#find((each) => each > order);
  /** Behind the last key with the prefix. */
  #endOf = (order: string) => this.#find((each) => each > order && !each.startsWith(order));

  #find(isPast: (order: string) => boolean): Position {
    const leaf = Math.max(0, firstIndex(this.#leaves.length, (i) => isPast(this.#firstOrder(i))) - 1);
    const histories = this.#leaves[leaf]?.histories ?? [];
    return { leaf, offset: firstIndex(histories.length, (i) => isPast(histories[i]?.order ?? '')) };
  }

  #addLeaf(): Leaf {
    const leaf: Leaf = { order: '', histories: [], live: 0, countedAt: 0 };
    this.#leaves.push(leaf);
    return leaf;
  }

  #split(index: number, leaf: Leaf): void {
    // Keys often arrive in ascending order: then the full leaf stays full and the new key opens the next one.
    const isLast = index === this.#leaves.length - 1;
    const moved = leaf.histories.splice(isLast ? fullLeaf : fullLeaf / 2);
    this.#leaves.splice(index + 1, 0, adopt({ order: '', histories: moved, live: 0, countedAt: leaf.countedAt }));
    adopt(leaf);
  }

  #merge(index: number, leaf: Leaf): void {
    const before = this.#leaves[index - 1];
    if (before && before.histories.length + leaf.histories.length <= fullLeaf / 2) {
      before.histories.push(...leaf.histories);
      before.countedAt = Math.max(before.countedAt, leaf.countedAt);
      adopt(before);
      this.#leaves.splice(index, 1);
    } else if (leaf.histories.length === 0) this.#leaves.splice(index, 1);
  }
}

function adopt(leaf: Leaf): Leaf {
  leaf.live = 0;
  leaf.order = leaf.histories[0]?.order ?? '';
  for (const history of leaf.histories) {
    history.leaf = leaf;
    if (history.current) leaf.live++;
  }
  return leaf;
}
