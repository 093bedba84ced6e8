import type { Concern, Stored, StoreEvent } from './store.ts';

/** Who may care about what one text of an object is. */
interface ByText<T> {
  readonly textOf: (stored: Stored) => string | undefined;
  readonly byValue: Map<string, Set<T>>;
}

/**
 * Those who follow the same keys. Most care about all of them; who cares about objects that say one thing is found by it, so
 * that thousands who each wait for their own cost a change of another one nothing.
 */
export class Audience<T extends { readonly concern?: Concern | undefined }> {
  readonly #ofAll = new Set<T>();
  readonly #byText = new Map<string, ByText<T>>();

  add(member: T): void {
    const { concern } = member;
    if (!concern) {
      this.#ofAll.add(member);
      return;
    }
    const { about, textOf, value } = concern;
    const known = this.#byText.get(about) ?? { textOf, byValue: new Map<string, Set<T>>() };
    this.#byText.set(about, known);
    const same = known.byValue.get(value);
    if (same) same.add(member);
    else known.byValue.set(value, new Set([member]));
  }

  /** @returns whether it was one of them */
  delete(member: T): boolean {
    const { concern } = member;
    if (!concern) return this.#ofAll.delete(member);
    const known = this.#byText.get(concern.about);
    const same = known?.byValue.get(concern.value);
    if (!known || !same?.delete(member)) return false;
    if (same.size === 0) known.byValue.delete(concern.value);
    if (known.byValue.size === 0) this.#byText.delete(concern.about);
    return true;
  }

  get isEmpty(): boolean {
    return this.#ofAll.size === 0 && this.#byText.size === 0;
  }

  *all(): Generator<T> {
    yield* this.#ofAll;
    for (const { byValue } of this.#byText.values()) for (const members of byValue.values()) yield* members;
  }

  /** All whom a change may concern: by what the object is, or was. */
  tell(event: StoreEvent, act: (member: T) => void): void {
    for (const member of this.#ofAll) act(member);
    for (const known of this.#byText.values()) {
      for (const value of valuesIn(event, known) ?? known.byValue.keys()) known.byValue.get(value)?.forEach(act);
    }
  }
}

/** What a text was and is, each once. Undefined: it cannot be read, which is for those to find out who care about it. */
function valuesIn({ previous, current }: StoreEvent, { textOf }: ByText<unknown>): Iterable<string> | undefined {
  try {
    const texts = [previous, current].map((stored) => stored && textOf(stored));
    return new Set(texts.filter((text) => text !== undefined));
  } catch {
    return undefined;
  }
}
