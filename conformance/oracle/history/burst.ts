/** What several clients asked for at once of one object, each in a write of its own. */
export interface Burst {
  /** `one`: only one of them may have come about; `all`: none takes away what another did. */
  readonly keeps: 'one' | 'all';
  /** What it was, for people. */
  readonly what: string;
  /** The names of the writes that were said to be done. */
  readonly done: readonly string[];
  /** The names of the writes that the object tells of afterwards. */
  readonly left: readonly string[];
}

/** What a server promises to clients who ask at once. */
export const burstPromises = {
  one: 'of several that shut each other out one is done',
  all: 'writes at once take nothing from each other',
} as const;

/** The promise that a burst breaks, and how; undefined where it keeps it. Pure. */
export function checkBurst({
  keeps,
  what,
  done,
  left,
}: Burst): { readonly promise: string; readonly what: string } | undefined {
  const lost = done.filter((write) => !left.includes(write));
  if (keeps === 'one' && done.length > 1)
    return { promise: burstPromises.one, what: `${what}: ${done.join(', ')} were all done` };
  if (lost.length > 0) return { promise: burstPromises.all, what: `${what}: ${lost.join(', ')} done, and lost` };
  return undefined;
}
