import { type Cell, judgeCells } from '../matrix.ts';
import type { Rule } from '../rule.ts';

/** The same rule judged in so many of its cells at most: what is claimed of a part of the documents is seen soon. */
export function sampled(rule: Rule, most: number): Rule {
  const { id, cells } = rule;
  if (!cells || cells.length <= most) return rule;
  const chosen = sampleOf(cells, most, numberOf(id));
  return { ...rule, cells: chosen, check: (context) => judgeCells(chosen, context) };
}

/**
 * Cells that together hold as many values of every axis as possible, the short axes first. Where they begin to look is
 * another place for each `seed`, so that several rules see what one cannot.
 */
export function sampleOf(cells: readonly Cell[], most: number, seed: number): readonly Cell[] {
  const start = seed % cells.length;
  const left = new Set([...cells.slice(start), ...cells.slice(0, start)]);
  const weights = weightsOf(cells);
  const covered = new Set<string>();
  const chosen: Cell[] = [];
  const places = new Map(cells.map((cell) => [cell, placesOf(cell)]));
  const gain = (cell: Cell): number =>
    (places.get(cell) ?? []).reduce((sum, place) => sum + (covered.has(place) ? 0 : (weights.get(place) ?? 0)), 0);
  while (chosen.length < most && left.size > 0) {
    let best: Cell | undefined;
    let highest = -1;
    for (const cell of left) {
      const here = gain(cell);
      if (here > highest) [best, highest] = [cell, here];
    }
    if (!best) break;
    left.delete(best);
    chosen.push(best);
    for (const place of placesOf(best)) covered.add(place);
  }
  return chosen;
}

/** Each value with its axis. */
const placesOf = ({ values }: Cell): readonly string[] => values.map((value, axis) => `${axis} ${value}`);

/** Of an axis with few values each is worth more. */
function weightsOf(cells: readonly Cell[]): ReadonlyMap<string, number> {
  const places = new Set(cells.flatMap(placesOf));
  const perAxis = Map.groupBy(places, (place) => place.slice(0, place.indexOf(' ')));
  return new Map([...perAxis.values()].flatMap((axis) => axis.map((place) => [place, 1 / axis.length] as const)));
}

const numberOf = (id: string): number => [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
