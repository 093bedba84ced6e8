/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to, but without, `end`. */
  readonly below: (end: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
  /** True once in `n` times. */
  readonly once: (n: number) => boolean;
  readonly shuffled: <T>(list: readonly T[]) => T[];
  /** `count` of the list, in its order. */
  readonly some: <T>(list: readonly T[], count: number) => T[];
}

/** 32 bits of a text, the same everywhere (FNV-1a). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** A stream of numbers for a seed and a purpose, so that one purpose never shifts the numbers of another. */
export function randomOf(seed: number, purpose: string): Random {
  let state = (hashOf(purpose) ^ Math.imul(seed, 0x9e3779b1)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (end: number): number => next() % end;
  const shuffled = <T>(list: readonly T[]): T[] => {
    const copy = [...list];
    for (let at = copy.length - 1; at > 0; at--) {
      const other = below(at + 1);
      [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
    }
    return copy;
  };
  return {
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    once: (n) => below(n) === 0,
    shuffled,
    some: (list, count) => {
      const chosen = new Set(shuffled(list.map((_, at) => at)).slice(0, count));
      return list.filter((_, at) => chosen.has(at));
    },
  };
}
