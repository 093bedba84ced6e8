import type { KeyValue } from './messages.ts';

type Told = Pick<KeyValue, 'key' | 'modRevision'> & Partial<Pick<KeyValue, 'value' | 'lease'>>;

/**
 * The newest change that is known of an etcd. A watch that is opened again begins with it; if another one is told in its
 * place, what is known never happened there: it was set back to an older backup, and written to since.
 */
export class LastChange {
  #known: Told | undefined;
  #removed = false;
  /** Whether it is yet to be told again. */
  #isAwaited = false;

  /** @param removed whether the key was removed, and not written */
  note(told: Told, removed: boolean): void {
    if (told.modRevision <= (this.#known?.modRevision ?? 0)) return;
    this.#known = told;
    this.#removed = removed;
    this.#isAwaited = false;
  }

  /** From now on another story is told: nothing of before is expected in it. */
  forget(): void {
    this.#known = undefined;
    this.#isAwaited = false;
  }

  /**
   * Where a watch has to begin to be told of it again, at the latest by a revision: of the first revision that is left,
   * etcd tells all but the removals.
   */
  toldFrom(revision: number): number {
    const isRemoval = this.#removed && this.#known?.modRevision === revision;
    return isRemoval ? revision - 1 : revision;
  }

  /** All that is below a root is told again, from a revision on. */
  awaitAgain(from: number, root: string): void {
    const [known, start] = [this.#known, Buffer.from(root)];
    const isTold =
      known !== undefined &&
      this.toldFrom(known.modRevision) >= from &&
      known.key.subarray(0, start.length).equals(start);
    this.#isAwaited = isTold;
  }

  /** Whether something is told that excludes what is known. To be asked before `note`. */
  contradicts({ key, modRevision, value, lease }: Told, removed: boolean): boolean {
    const known = this.#known;
    if (!this.#isAwaited || !known || modRevision < known.modRevision) return false;
    if (modRevision > known.modRevision) return true;
    if (!key.equals(known.key)) return false;
    this.#isAwaited = false;
    if (removed || this.#removed) return removed !== this.#removed;
    // What servers say of themselves is the same each time, with another lease.
    const isOther = lease !== undefined && known.lease !== undefined && lease !== known.lease;
    return isOther || !(value ?? nothing).equals(known.value ?? nothing);
  }
}

const nothing = Buffer.alloc(0);
