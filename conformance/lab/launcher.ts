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
  readonly take: (flags: readonly string[]) => Promise<Target>;
  /** A server that nobody shares, at once: who asks for it says when it ends. */
  readonly own: Start;
  /** Nobody's server runs on until its place is needed. */
  readonly giveBack: (flags: readonly string[]) => void;
  readonly stopAll: () => Promise<void>;
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

export function makeLauncher(start: Start, most = mostAtOnce): Launcher {
  const lent = new Map<string, Lent>();
  const owned = new Set<Started>();
  const inTurn = makeGate(startsAtOnce);
  const waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const go of waiting.splice(0)) go();
  };
  const end = async (key: string, { started }: Lent): Promise<void> => {
    lent.delete(key);
    const stopped = started.then(({ stop }) => stop());
    // Whoever waits for the place does not wait for a server that does not end.
    await within(endLimit, 'a server to end', stopped).catch(() => undefined);
    wake();
  };
  /** Resolves once there is a place for one more. */
  const place = async (key: string): Promise<void> => {
    while (!lent.has(key) && lent.size >= most) {
      const idle = [...lent].find(([, { takers }]) => takers === 0);
      await (idle ? end(...idle) : new Promise<void>((resolve) => waiting.push(resolve)));
    }
  };
  return {
    async take(flags) {
      const key = flags.join('\n');
      await place(key);
      const known = lent.get(key) ?? { started: inTurn(() => start(flags)), takers: 0 };
      lent.set(key, known);
      known.takers += 1;
      try {
        return (await known.started).target;
      } catch (error) {
        if (lent.get(key) === known) lent.delete(key);
        wake();
        throw error;
      }
    },
    async own(flags) {
      const started = await inTurn(() => start(flags));
      owned.add(started);
      return {
        target: started.target,
        async stop() {
          if (owned.delete(started)) await started.stop();
        },
      };
    },
    giveBack(flags) {
      const known = lent.get(flags.join('\n'));
      if (!known) return;
      known.takers -= 1;
      if (known.takers === 0) wake();
    },
    async stopAll() {
      const ends = [...owned].map(({ stop }) => stop());
      owned.clear();
      await Promise.all([...[...lent].map(([key, one]) => end(key, one)), ...ends]);
    },
  };
}
