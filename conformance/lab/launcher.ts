import { makeGate } from '../runner/gate.ts';
import type { Target } from '../target/target.ts';
import { within } from '../verbs/wait-until.ts';

/** A server that was started, and how it is ended. */
export interface Started {
  readonly target: Target;
  readonly stop: () => Promise<void>;
}

/** Starts a server with these flags and resolves once it serves. */
export type Start = (flags: readonly string[]) => Promise<Started>;

/** Lends servers with chosen flags, a few at a time. */
export interface Launcher {
  /**
   * The server with these flags, until it is given back; those who ask for the same share one. Waits while as many run
   * as may: who holds one must not wait for another.
   */
  take(flags: readonly string[]): Promise<Target>;
  /** A server that nobody shares, at once: who asks for it says when it ends. */
  own(flags: readonly string[]): Promise<Started>;
  /** Nobody's server runs on until its place is needed. */
  giveBack(flags: readonly string[]): void;
  stopAll(): Promise<void>;
}

interface Lent {
  readonly started: Promise<Started>;
  takers: number;
}

/** Milliseconds that a server may take to end before its place is given away. */
const endLimit = 10_000;

/** How many servers are lent at once: each takes memory. */
const mostAtOnce = 4;

/** How many start at once: a server that shares the processors with many is late. */
const startsAtOnce = 2;

export const makeLauncher = (start: Start, most = mostAtOnce): Launcher => new Lender(start, most);

class Lender implements Launcher {
  readonly #start: Start;
  readonly #most: number;
  readonly #lent = new Map<string, Lent>();
  readonly #owned = new Set<Started>();
  readonly #waiting: (() => void)[] = [];

  constructor(start: Start, most: number) {
    const inTurn = makeGate(startsAtOnce);
    this.#start = (flags) => inTurn(() => start(flags));
    this.#most = most;
  }

  async take(flags: readonly string[]): Promise<Target> {
    const key = keyOf(flags);
    await this.#placeFor(key);
    const known = this.#lent.get(key) ?? { started: this.#start(flags), takers: 0 };
    this.#lent.set(key, known);
    known.takers += 1;
    try {
      return (await known.started).target;
    } catch (error) {
      if (this.#lent.get(key) === known) this.#lent.delete(key);
      this.#wake();
      throw error;
    }
  }

  async own(flags: readonly string[]): Promise<Started> {
    const started = await this.#start(flags);
    this.#owned.add(started);
    const stop = async (): Promise<void> => {
      if (this.#owned.delete(started)) await started.stop();
    };
    return { target: started.target, stop };
  }

  giveBack(flags: readonly string[]): void {
    const known = this.#lent.get(keyOf(flags));
    if (!known) return;
    known.takers -= 1;
    if (known.takers === 0) this.#wake();
  }

  async stopAll(): Promise<void> {
    const ends = [...this.#owned].map(({ stop }) => stop());
    this.#owned.clear();
    await Promise.all([...[...this.#lent].map(([key, one]) => this.#end(key, one)), ...ends]);
  }

  /** Resolves once there is a place for one more. */
  async #placeFor(key: string): Promise<void> {
    while (!this.#lent.has(key) && this.#lent.size >= this.#most) {
      const idle = [...this.#lent].find(([, { takers }]) => takers === 0);
      await (idle ? this.#end(...idle) : new Promise<void>((resolve) => this.#waiting.push(resolve)));
    }
  }

  async #end(key: string, { started }: Lent): Promise<void> {
    this.#lent.delete(key);
    const stopped = started.then(({ stop }) => stop());
    // Whoever waits for the place does not wait for a server that does not end.
    await within(endLimit, 'a server to end', stopped).catch(() => undefined);
    this.#wake();
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

const keyOf = (flags: readonly string[]): string => flags.join('\n');
