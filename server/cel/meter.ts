/** An evaluation took more steps than it may. */
export class OutOfBudget extends Error {}

/** Counts the steps of evaluations: about one for each part that is evaluated, and one for ten characters looked at. */
export class Meter {
  #left: number;
  constructor(budget: number) {
    this.#left = budget;
  }
  /** @throws OutOfBudget */
  charge(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new OutOfBudget('the cost budget is used up');
  }
  get left(): number {
    return this.#left;
  }
}

/** Cost of looking at a text of so many characters. */
export const textCost = (characters: number) => 1 + characters / 10;
