/** How long one piece of work may hold up everything else, in milliseconds. */
const longest = 10;

/** What one piece of work does between two moments at which others may do theirs. */
export class Turn {
  #began = performance.now();

  /** Whether it is time to let others do their work. */
  get isOver(): boolean {
    return performance.now() - this.#began > longest;
  }

  begin(): void {
    this.#began = performance.now();
  }
}

/** Lets others do their work. */
export const letOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets others do their work, and begins the next turn. */
export async function breath(turn: Turn): Promise<void> {
  await letOthers();
  turn.begin();
}

/** Work in pieces: it yields where others may have their turn. */
export type Pieces<T> = Generator<void, T>;

/** Does all of it now. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Does it in turns with others. */
export async function inTurns<T>(work: Pieces<T>): Promise<T> {
  await letOthers();
  for (const turn = new Turn(); ; ) {
    const { done, value } = work.next();
    if (done) return value;
    if (turn.isOver) await breath(turn);
  }
}
