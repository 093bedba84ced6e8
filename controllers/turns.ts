import { createHash } from 'node:crypto';
import { checkKinds } from '../mistyped.ts';
import { chooseControllers } from './choose.ts';
import { type StartOptions, startOptionKinds } from './options.ts';
import { ownClient } from './own-client.ts';
import { Rivals } from './rivals.ts';
import { type Clock, pause } from './runtime/clock.ts';
import { connect } from './runtime/connection/connection.ts';
import { type Election, lead } from './runtime/leader-election.ts';
import { silentLog } from './runtime/log.ts';
import { newIdentity, type RunningControllers, startControllers } from './start.ts';

/** Milliseconds that a start waits for its turn, that pass before another try at one that failed, and that the end may take. */
const patience = { turn: 1000, retry: 2000, end: 10_000 };

/** A Lease for all that were told of the same controllers; those that were told of others are each other's rivals. */
const leaseOf = (controllers: readonly string[] = []) =>
  `touchstone-controllers-${createHash('sha256').update(controllers.join()).digest('hex').slice(0, 8)}`;

/**
 * Starts controllers beside one of several servers that are one service: one at a time runs them, as long as it holds their
 * Lease. Resolves when they work here, or when it is somebody else's turn. @throws Error as `startControllers`
 */
export async function startInTurn(given: StartOptions, clock: Clock): Promise<Pick<RunningControllers, 'stop'>> {
  checkKinds(given, startOptionKinds);
  const { kubeconfig: text = '', log = silentLog } = given;
  const connection = await connect({ text });
  const [told, ending] = [new AbortController(), new AbortController()];
  const { signal } = told;
  const client = ownClient({ connection, clock, signal: ending.signal });
  const place = { namespace: 'kube-system', name: leaseOf(given.controllers) };
  const own = (given.loops ?? []).map(({ name }) => name);
  const chosen = chooseControllers(given.controllers ?? [], given.pretenders).map(({ name }) => name);
  const rivals = new Rivals({ ...place, controllers: [...chosen, ...own] });
  const election = { client, clock, log, ...place, identity: newIdentity(), rivals, signal };
  const begun = Promise.withResolvers<void>();
  const turns = takeTurns(given, election, begun);
  const stop = async () => {
    told.abort();
    await Promise.race([turns, pause(clock, patience.end)]);
    ending.abort();
    connection.close();
  };
  try {
    await Promise.race([begun.promise, pause(clock, patience.turn)]);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function takeTurns(given: StartOptions, election: Election, begun: PromiseWithResolvers<void>): Promise<void> {
  const { signal, clock, log } = election;
  while (!signal.aborted) {
    try {
      await takeTurn(given, election, begun.resolve);
    } catch (error) {
      if (signal.aborted) return;
      begun.reject(error);
      log.error('controllers', error);
      await pause(clock, patience.retry, signal);
    }
  }
}

async function takeTurn(given: StartOptions, election: Election, began: () => void): Promise<void> {
  const { signal: lost, release } = await lead(election);
  try {
    const running = await startControllers({ ...given, signal: lost }, election);
    began();
    const over = AbortSignal.any([election.signal, lost]);
    if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve));
    await running.stop();
  } finally {
    await release();
  }
}
