import { flushCompileCache } from 'node:module';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Plan } from './plan.ts';
import type { Outcome } from './player.ts';
import { makePlayer } from './player.ts';
import { type Delivery, type Errand, makeRemoteLauncher } from './remote-launcher.ts';
import { loadRules } from './sections.ts';

/**
 * What a worker is told: a file of rules to play, what came of its errand, to begin no more rules, to stop those that
 * run, or to end.
 */
export type Order = { readonly file: string } | Delivery | 'halt' | 'stop' | 'end';

/** What a worker tells. `fault` belongs to no rule. */
export type Message =
  | { readonly begun: string }
  | { readonly ended: string; readonly outcome: Outcome }
  | { readonly played: string; readonly fault?: string }
  | { readonly fault: string }
  | Errand;

const port = parentPort as MessagePort;
const plan = workerData as Plan;
const say = (message: Message): void => port.postMessage(message);
const launcher = makeRemoteLauncher(say);
const player = makePlayer(plan, plan.target.launches ? launcher : undefined);

const tell = {
  begun: (id: string) => say({ begun: id }),
  ended: (id: string, outcome: Outcome) => say({ ended: id, outcome }),
};

async function play(file: string): Promise<void> {
  try {
    const rules = (await loadRules(file)).filter(({ id }) => plan.ids.includes(id));
    flushCompileCache();
    await player.play(rules, tell);
    say({ played: file });
  } catch (error) {
    say({ played: file, fault: `${file}: ${error instanceof Error ? error.message : String(error)}` });
  }
}

process.on('unhandledRejection', (error) =>
  say({ fault: `a promise nobody waited for: ${error instanceof Error ? (error.stack ?? error.message) : error}` }),
);

port.on('message', async (order: Order) => {
  if (order === 'halt' || order === 'stop') return player[order]();
  if (order !== 'end') return 'file' in order ? play(order.file) : launcher.hear(order);
  await player.close();
  port.close();
});
