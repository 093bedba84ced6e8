import type { Launcher, Started } from '../lab/launcher.ts';
import type { Target } from '../target/target.ts';
import { Breach, Skipped } from '../verbs/breach.ts';

/** What a worker asks of the thread that holds the launcher. */
export type Errand =
  | { readonly take: number; readonly flags: readonly string[] }
  | { readonly giveBack: readonly string[] }
  | { readonly own: number; readonly flags: readonly string[] }
  | { readonly stop: number };

/** What came of it. */
export type Delivery =
  | { readonly taken: number; readonly target: Target }
  /** `unknown`: nothing came of it that says something of the server. */
  | { readonly refused: number; readonly why: string; readonly unknown: boolean }
  | { readonly stopped: number };

/** A launcher in another thread, asked by messages: all workers share its servers and its limit. */
export interface RemoteLauncher extends Launcher {
  readonly hear: (delivery: Delivery) => void;
}

export function makeRemoteLauncher(say: (errand: Errand) => void): RemoteLauncher {
  const waiting = new Map<number, PromiseWithResolvers<Target>>();
  const stopping = new Map<number, () => void>();
  let count = 0;
  /** Resolves once the server is there that is asked for under the next number. */
  const asking = (errand: (id: number) => Errand): { id: number; target: Promise<Target> } => {
    const id = ++count;
    const asked = Promise.withResolvers<Target>();
    waiting.set(id, asked);
    say(errand(id));
    return { id, target: asked.promise };
  };
  return {
    take: (flags) => asking((take) => ({ take, flags })).target,
    async own(flags) {
      const { id, target } = asking((own) => ({ own, flags }));
      const stop = (): Promise<void> =>
        new Promise((resolve) => {
          stopping.set(id, resolve);
          say({ stop: id });
        });
      return { target: await target, stop };
    },
    giveBack: (flags) => say({ giveBack: flags }),
    stopAll: async () => undefined,
    hear(delivery) {
      if ('stopped' in delivery) {
        stopping.get(delivery.stopped)?.();
        stopping.delete(delivery.stopped);
        return;
      }
      const id = 'taken' in delivery ? delivery.taken : delivery.refused;
      const asked = waiting.get(id);
      waiting.delete(id);
      if ('taken' in delivery) asked?.resolve(delivery.target);
      else asked?.reject(delivery.unknown ? new Skipped(delivery.why) : new Breach('preparation', delivery.why));
    },
  };
}

/** Does for one worker what it asks. */
export function makeErrandRunner(launcher: Launcher, deliver: (delivery: Delivery) => void): (errand: Errand) => void {
  const owned = new Map<number, Started>();
  const own = async (id: number, flags: readonly string[]): Promise<Target> => {
    const started = await launcher.own(flags);
    owned.set(id, started);
    return started.target;
  };
  const lend = (id: number, server: Promise<Target>): void =>
    void server.then(
      (target) => deliver({ taken: id, target }),
      (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        deliver({ refused: id, why, unknown: error instanceof Skipped });
      },
    );
  return (errand) => {
    if ('giveBack' in errand) launcher.giveBack(errand.giveBack);
    else if ('take' in errand) lend(errand.take, launcher.take(errand.flags));
    else if ('own' in errand) lend(errand.own, own(errand.own, errand.flags));
    else
      void owned
        .get(errand.stop)
        ?.stop()
        .finally(() => deliver({ stopped: errand.stop }));
  };
}
