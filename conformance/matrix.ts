import type { Capability } from './capability.ts';
import { heldFrom, type MinorRange } from './holds-for.ts';
import { makeGate } from './runner/gate.ts';
import type { Pace } from './runner/pace.ts';
import { Skipped } from './verbs/breach.ts';
import type { Collection } from './verbs/collection.ts';
import type { RuleContext } from './verbs/context.ts';
import type { Exchange } from './verbs/exchange.ts';
import type { Subject } from './verbs/subjects.ts';

/** One value of an axis: a word, or something with a name, and perhaps needs and versions of its own. */
export type AxisValue =
  | string
  | { readonly name: string; readonly needs?: readonly Capability[]; readonly holds?: MinorRange };

/** What a rule ranges over: each combination of one value of every axis is a cell. */
export type Axes = Readonly<Record<string, readonly AxisValue[]>>;

/** One value of every axis. */
export type CellOf<A extends Axes> = { readonly [K in keyof A]: A[K][number] };

/** What a check may use in a cell: where one axis is `kind`, also the objects of that kind. */
export type CellContext<A extends Axes> = 'kind' extends keyof A
  ? RuleContext & { readonly objects: Collection }
  : RuleContext;

/** A cell ready to be judged. */
export interface Cell {
  /** The names of its values: `secrets, merge patch`. */
  readonly name: string;
  /** The names of its values, one an axis. */
  readonly values: readonly string[];
  readonly needs: readonly Capability[];
  /** The versions that keep each of its values. */
  readonly holds: readonly MinorRange[];
  /** Cells of one lane share a namespace; those of one kind never share a lane. */
  readonly lane: number;
  /** That of its rule. */
  readonly pace: Pace;
  readonly check: (context: RuleContext) => Promise<void>;
}

/** How a cell went; `error` is what its check threw, `skipped` why it was not judged. */
export interface CellOutcome {
  readonly cell: string;
  readonly error?: unknown;
  readonly skipped?: string;
  /** Of a cell that held only where they are asked for. */
  readonly exchanges: readonly Exchange[];
}

type CellCheck<A extends Axes> = (context: CellContext<A>, cell: CellOf<A>) => Promise<unknown>;

const nameOf = (value: AxisValue): string => (typeof value === 'string' ? value : value.name);
const needsOf = (value: AxisValue): readonly Capability[] => (typeof value === 'string' ? [] : (value.needs ?? []));
const rangesOf = (value: AxisValue): readonly MinorRange[] =>
  typeof value !== 'string' && value.holds ? [value.holds] : [];

/** Every combination of the values, in order, for which `where` holds. */
export function combinations<A extends Axes>(axes: A, where: (cell: CellOf<A>) => boolean = () => true): CellOf<A>[] {
  let cells: Record<string, AxisValue>[] = [{}];
  for (const [axis, values] of Object.entries(axes))
    cells = cells.flatMap((cell) => values.map((value) => ({ ...cell, [axis]: value })));
  return (cells as CellOf<A>[]).filter(where);
}

/** Throws when two cells have one name, or none is left: a matrix without cells proves nothing. */
export function cellsOf<A extends Axes>(
  axes: A,
  check: CellCheck<A>,
  where?: (cell: CellOf<A>) => boolean,
  pace: Pace = 'working',
): readonly Cell[] {
  const lanes = new Map<string, number>();
  const cells = combinations(axes, where).map((cell): Cell => {
    const values = Object.values(cell) as AxisValue[];
    const kind = (cell as { kind?: Subject }).kind;
    const lane = lanes.get(kind?.name ?? '') ?? 0;
    lanes.set(kind?.name ?? '', lane + 1);
    return {
      name: values.map(nameOf).join(', '),
      values: values.map(nameOf),
      needs: [...new Set(values.flatMap(needsOf))],
      holds: values.flatMap(rangesOf),
      lane,
      pace,
      check: async (context) => {
        const opened = kind ? Object.assign(context, { objects: await kind.open(context) }) : context;
        await check(opened as CellContext<A>, cell);
      },
    };
  });
  if (cells.length === 0) throw new Error('a matrix has no cells');
  if (new Set(cells.map(({ name }) => name)).size < cells.length) throw new Error('two cells have the same name');
  return cells;
}

/** Cells of one rule that are judged at the same time, and those of all rules of this process. */
const [perRule, perProcess] = [6, 16];

/** Hundreds of connections at once would only be in each other's way; cells that wait are in nobody's. */
const gates = { working: makeGate(perProcess), waiting: makeGate(perProcess) };

/** Judges every cell, several at once. Never throws for what a cell's check throws: that is the cell's outcome. */
export async function judgeCells(
  cells: readonly Cell[],
  context: RuleContext,
  { failFast = false }: { readonly failFast?: boolean } = {},
): Promise<CellOutcome[]> {
  const outcomes: CellOutcome[] = [];
  const left = cells.entries();
  const work = async (): Promise<void> => {
    for (const [index, cell] of left) {
      outcomes[index] = await gates[cell.pace](() => judgeCell(cell, context));
      if (failFast && outcomes[index].error !== undefined) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(perRule, cells.length) }, work));
  return outcomes;
}

async function judgeCell({ name, needs, holds, lane, check }: Cell, context: RuleContext): Promise<CellOutcome> {
  const missing = needs.filter((need) => !context.capabilities.includes(need));
  if (missing.length > 0) return { cell: name, skipped: `the target lacks: ${missing.join(', ')}`, exchanges: [] };
  const exempt = holds.map((range) => heldFrom(range, context.version)).find(Boolean);
  if (exempt) return { cell: name, skipped: exempt, exchanges: [] };
  const fork = context.fork(lane, name);
  try {
    await check(fork.context);
    return { cell: name, exchanges: fork.verbose ? fork.exchanges : [] };
  } catch (error) {
    if (error instanceof Skipped) return { cell: name, skipped: error.message, exchanges: [] };
    return { cell: name, error: error ?? new Error('thrown without a reason'), exchanges: fork.exchanges };
  } finally {
    fork.close();
  }
}
