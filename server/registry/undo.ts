type Undone = void | Promise<void>;

/**
 * What a write took outside its object (an address, a port, a share of a quota), to be given back should the write not
 * come about. Belongs to one write; any of its steps may add to it.
 */
export class Undo {
  readonly #acts: (() => Undone)[] = [];

  readonly add = (act: () => Undone): void => {
    this.#acts.push(act);
  };

  /** Gives everything back, the last first; nothing is given back twice, and one that fails keeps no other from it. */
  async run(): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    for (let act = this.#acts.pop(); act; act = this.#acts.pop()) {
      try {
        await act();
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure) throw failure.error;
  }
}
