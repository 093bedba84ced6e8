/**
 * What admission took elsewhere for a write (a share of a quota), to be given back should the write not come about.
 * Belongs to one write.
 */
export class Reservations {
  readonly #undos: (() => Promise<void>)[] = [];

  readonly add = (undo: () => Promise<void>): void => {
    this.#undos.push(undo);
  };

  /** Gives everything back, the last first; nothing is given back twice. */
  async giveBack(): Promise<void> {
    for (const undo of this.#undos.splice(0).reverse()) await undo();
  }
}
