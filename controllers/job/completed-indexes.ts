/**
 * Completed indexes of an Indexed job, as the status carries them: in increasing order, joined by commas, runs of three
 * and more as `first-last`. Kept as runs, so a job of a hundred thousand indexes stays small.
 */
export type Runs = readonly (readonly [first: number, last: number])[];

/** Reads the text, leaving out what is no index or not below `completions`. */
export function parseIndexes(text: string | undefined, completions: number): Runs {
  const runs: [number, number][] = [];
  for (const part of (text ?? '').split(',')) {
    const [, from, to] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part) ?? [];
    if (from === undefined) continue;
    const last = Math.min(Number(to ?? from), completions - 1);
    if (Number(from) <= last) runs.push([Number(from), last]);
  }
  return merged(runs);
}

/** The runs with more indexes in them. */
export const withIndexes = (runs: Runs, indexes: Iterable<number>): Runs =>
  merged([
    ...runs.map(([from, to]): [number, number] => [from, to]),
    ...[...indexes].map((each): [number, number] => [each, each]),
  ]);

export const formatIndexes = (runs: Runs): string => runs.flatMap(partsOf).join(',');

export const countIndexes = (runs: Runs): number => runs.reduce((sum, [from, to]) => sum + to - from + 1, 0);

/** The smallest indexes below `completions` that are neither completed nor taken. */
export function freeIndexes(
  runs: Runs,
  taken: ReadonlySet<number>,
  completions: number,
  count: number,
): readonly number[] {
  const free: number[] = [];
  let run = 0;
  for (let index = 0; index < completions && free.length < count; index += 1) {
    while (run < runs.length && index > (runs[run]?.[1] ?? 0)) run += 1;
    const [from, to] = runs[run] ?? [completions, completions];
    if (index >= from) index = to;
    else if (!taken.has(index)) free.push(index);
  }
  return free;
}

function merged(runs: [number, number][]): Runs {
  const sorted = runs.sort(([a], [b]) => a - b);
  const result: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = result.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

function partsOf([from, to]: readonly [number, number]): readonly string[] {
  if (from === to) return [`${from}`];
  return to === from + 1 ? [`${from}`, `${to}`] : [`${from}-${to}`];
}
