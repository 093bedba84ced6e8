/** Numbers from 0 up to, but without, 1. */
export type Random = () => number;

/** The same numbers for the same seed: a linear congruence of 48 bits (that of POSIX drand48). */
export function seeded(seed: number): Random {
  const mask = 2n ** 48n - 1n;
  let state = ((BigInt(Math.trunc(seed)) << 16n) | 0x330en) & mask;
  return () => {
    state = (state * 0x5deece66dn + 0xbn) & mask;
    return Number(state) / 2 ** 48;
  };
}
