import type { Launcher } from '../lab/launcher.ts';
import type { Target } from '../target/target.ts';
import { Breach } from '../verbs/breach.ts';

/** What a worker asks of the thread that holds the launcher. */
export type Errand =
  | { readonly take: number; readonly flags: readonly string[]; readonly urgent: boolean }
  | { readonly giveBack: readonly string[] };

/** What came of it. */
export type Delivery =
  | { readonly taken: number; readonly target: Target }
  | { readonly refused: number; readonly why: string };

/** A launcher in another thread, asked by messages: all workers share its servers and its limit. */
export interface RemoteLauncher extends Launcher {
  readonly hear: (delivery: Delivery) => void;
}

export function makeRemoteLauncher(say: (errand: Errand) => void): RemoteLauncher {
  const waiting = new Map<number, PromiseWithResolvers<Target>>();
  let count = 0;
  return {
    take(flags, { urgent = false } = {}) {
      const asked = Promise.withResolvers<Target>();
      waiting.set(++count, asked);
      say({ take: count, flags, urgent });
      return asked.promise;
    },
    giveBack: (flags) => say({ giveBack: flags }),
    stopAll: async () => undefined,
    hear(delivery) {
      const id = 'taken' in delivery ? delivery.taken : delivery.refused;
      const asked = waiting.get(id);
      waiting.delete(id);
      if ('taken' in delivery) asked?.resolve(delivery.target);
      else asked?.reject(new Breach('preparation', delivery.why));
    },
  };
}

/** Does for a worker what it asks. */
export async function runErrand(
  launcher: Launcher,
  errand: Errand,
  deliver: (delivery: Delivery) => void,
): Promise<void> {
  if ('giveBack' in errand) return launcher.giveBack(errand.giveBack);
  const { take, flags, urgent } = errand;
  try {
    deliver({ taken: take, target: await launcher.take(flags, { urgent }) });
  } catch (error) {
    deliver({ refused: take, why: error instanceof Error ? error.message : String(error) });
  }
}
