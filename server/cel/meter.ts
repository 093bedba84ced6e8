/** An evaluation took more steps than it may, alone, or with those before it. */
export class OutOfBudget extends Error {
  readonly alone: boolean;
  constructor(alone: boolean) {
    super('the cost budget is used up');
    this.alone = alone;
  }
}

/**
 * Counts the steps of evaluations: about one for each part that is evaluated, and one for ten characters looked at.
 * There is a budget for all of them, and one for each alone.
 */
export class Meter {
  #left: number;
  #leftOfOne: number;
  readonly #budgetOfOne: number;
  constructor(budget: number, budgetOfOne = budget) {
    this.#left = budget;
    this.#leftOfOne = budgetOfOne;
    this.#budgetOfOne = budgetOfOne;
  }
  /** The next evaluation begins. */
  begin(): void {
    this.#leftOfOne = this.#budgetOfOne;
  }
  /** @throws OutOfBudget */
  charge(steps: number): void {
    this.#left -= steps;
    this.#leftOfOne -= steps;
    if (this.#left < 0 || this.#leftOfOne < 0) throw new OutOfBudget(this.#leftOfOne < 0);
  }
}

/** Cost of looking at a text of so many characters. */
export const textCost = (characters: number) => Math.ceil(characters / 10);
