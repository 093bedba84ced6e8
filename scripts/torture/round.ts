import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { checkHistory } from '../../conformance/oracle/history/check-history.ts';
import type { History, Violation } from '../../conformance/oracle/history/history.ts';
import { randomOf } from '../../conformance/oracle/play/random.ts';
import type { Api } from './api.ts';
import { send } from './api.ts';
import { Clients } from './clients.ts';
import { type Venue, type VenueName, venues } from './venues.ts';

export interface RoundOptions {
  readonly venue: VenueName;
  readonly seed: number;
  /** How often something goes wrong. */
  readonly faults: number;
}

export interface RoundReport {
  readonly venue: VenueName;
  readonly seed: number;
  /** What went wrong, by how often. */
  readonly faults: Readonly<Record<string, number>>;
  readonly writes: { readonly done: number; readonly refused: number; readonly lost: number };
  readonly seconds: number;
  readonly violations: readonly Violation[];
  /** All that clients saw, when that breaks a promise. */
  readonly history?: History;
}

/** Lets clients work while one thing after another goes wrong, and judges all that they saw. */
export async function playRound({ venue: name, seed, faults }: RoundOptions): Promise<RoundReport> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-torture-'));
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, connections: 32 });
  const begun = performance.now();
  const venue = await venues[name](folder);
  try {
    const api = await collectionAt(venue, dispatcher, seed);
    const clients = new Clients(api, { seed, clients: 6, names: 5, watchers: 3 });
    clients.begin();
    const happened = await goWrong(venue, clients, seed, faults);
    const history = await clients.finish();
    const violations = checkHistory(history);
    const count = (outcome: string) => history.writes.filter((write) => write.outcome === outcome).length;
    return {
      venue: name,
      seed,
      faults: happened,
      writes: { done: count('done'), refused: count('refused'), lost: count('lost') },
      seconds: Math.round((performance.now() - begun) / 100) / 10,
      violations,
      ...(violations.length > 0 && { history }),
    };
  } finally {
    await dispatcher.destroy();
    await venue.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function collectionAt({ urls, token }: Venue, dispatcher: Agent, seed: number): Promise<Api> {
  const namespace = `torture-${seed}`;
  const api = { urls, token, dispatcher, path: '/api/v1/namespaces' };
  const made = await send(api, 0, 'POST', '', { metadata: { name: namespace } });
  if (made.status !== 201) throw new Error(`the namespace could not be made: ${JSON.stringify(made.body)}`);
  return { ...api, path: `/api/v1/namespaces/${namespace}/configmaps` };
}

async function goWrong(venue: Venue, clients: Clients, seed: number, faults: number): Promise<Record<string, number>> {
  const random = randomOf(seed, 'what goes wrong');
  const happened: Record<string, number> = {};
  for (let n = 0; n < faults; n++) {
    await clients.progress();
    await pause(random.below(200));
    const fault = random.pick(venue.faults);
    await fault.happen(random);
    happened[fault.name] = (happened[fault.name] ?? 0) + 1;
  }
  return happened;
}
