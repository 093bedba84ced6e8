import { type Divergence, duel, type Pair } from './compare/duel.ts';
import type { Scenario } from './play/scenario.ts';
import type { Patience } from './play/watching.ts';
import { type Shrunk, shrink } from './shrink.ts';

/** Some work that is played on both servers, and may be played again. */
export interface Piece {
  readonly name: string;
  /** What made it. */
  readonly generator: string;
  /** Ids of the documented rules that it is about, where it is about some. */
  readonly rules?: readonly string[];
  /** Throws where nothing can be compared. */
  readonly compare: (patience: Patience) => Promise<Compared>;
  /** Looks for so many milliseconds for less that shows the same. */
  readonly shrink?: (first: Divergence, limit: number) => Promise<Shrunk | undefined>;
}

/** What came of a piece that was played once. */
export interface Compared {
  readonly divergences: readonly Divergence[];
  /** How many answers were compared. */
  readonly answers: number;
}

/** Of many trials to make it shorter one may err; the next one counts. */
const brief: Patience = { quiet: 150, mark: 800 };

export const scenarioPiece = (pair: Pair, scenario: Scenario): Piece => ({
  name: scenario.name,
  generator: scenario.generator,
  compare: async (patience) => ({
    divergences: await duel(pair, scenario, patience),
    answers: scenario.steps.length,
  }),
  shrink: (first, limit) => shrink(pair, scenario, first, { patience: brief, limit }),
});
