/** Lets work be under way at once, but for what has to be alone. */
export class Turns {
  readonly #underWay = new Set<Promise<void>>();
  #alone: Promise<void> = Promise.resolve();

  /** Begins once nothing is alone any more; what is to be `alone` waits for all that is under way, and all others for it. */
  async take<T>(alone: boolean, act: () => Promise<T>): Promise<T> {
    for (let waited: Promise<void> | undefined; waited !== this.#alone; ) {
      waited = this.#alone;
      await waited;
    }
    const turn = alone ? Promise.all(this.#underWay).then(act) : act();
    const over: Promise<void> = turn.then(
      () => this.#end(over),
      () => this.#end(over),
    );
    this.#underWay.add(over);
    if (alone) this.#alone = over;
    return turn;
  }

  #end(over: Promise<void>): void {
    this.#underWay.delete(over);
  }
}
