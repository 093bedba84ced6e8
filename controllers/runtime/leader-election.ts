import { isAlreadyExists, isConflict, unlessNotFound } from './api-error.ts';
import { jitteredWaitAfter } from './backoff.ts';
import type { Client } from './client.ts';
import { type Clock, elapsed, formatMicroTime, pause } from './clock.ts';
import type { Log } from './log.ts';
import { type Lease, leases } from './resources.ts';

/** Times are milliseconds. */
export interface Election {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly namespace: string;
  readonly name: string;
  /** Who we are; no two candidates may share it. */
  readonly identity: string;
  /** How long others wait after our last renewal before they take over. */
  readonly duration?: number;
  /** How long we go on trying to renew before we step down; shorter than `duration`. */
  readonly patience?: number;
  readonly retry?: number;
  /** Those who lead under other Leases and must not do so beside us; missing: nobody. */
  readonly rivals?: Rivals;
  readonly signal: AbortSignal;
}

export interface Rivals {
  /** What stands on our Lease, by which they know us. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Whether one of them leads. @throws Error when that cannot be known now */
  areAtWork(client: Client): Promise<boolean>;
}

/** With nobody else there are none. */
const nobody: Rivals = { annotations: {}, areAtWork: async () => false };

/** What to do with a lease: nothing yet, or write it like this. */
export type Bid = { readonly wait: true } | { readonly wait: false; readonly spec: NonNullable<Lease['spec']> };

/**
 * Decides from a lease and from how long we have seen it unchanged (the holder's time of day may be wrong, and so may ours)
 * whether it is ours, free, or to be waited for. @param now the time of day that the lease then tells
 */
export function planBid(
  lease: Lease | undefined,
  me: string,
  now: number,
  unchangedFor: number,
  duration: number,
): Bid {
  const {
    holderIdentity: holder = '',
    leaseDurationSeconds = 0,
    leaseTransitions = 0,
    acquireTime,
  } = lease?.spec ?? {};
  const seconds = Math.ceil(duration / 1000);
  const renewTime = formatMicroTime(now);
  if (holder === me) {
    return {
      wait: false,
      spec: {
        ...lease?.spec,
        leaseDurationSeconds: seconds,
        renewTime,
        ...(!acquireTime && { acquireTime: renewTime }),
      },
    };
  }
  if (holder && unchangedFor < leaseDurationSeconds * 1000) return { wait: true };
  const transitions = lease?.spec && holder !== me ? leaseTransitions + 1 : leaseTransitions;
  const spec = { holderIdentity: me, leaseDurationSeconds: seconds, acquireTime: renewTime, renewTime };
  return { wait: false, spec: { ...spec, leaseTransitions: transitions } };
}

/** What it is to lead. */
export interface Leadership {
  /** Aborted as soon as we do not lead any longer, before anyone else may: all that a leader writes hangs on it. */
  readonly signal: AbortSignal;
  /** Gives the lease up, so that the next candidate need not wait for it to run out. */
  release(): Promise<void>;
}

/** Waits until we hold the lease, then keeps it. @throws Error when told to stop before */
export async function lead(given: Election): Promise<Leadership> {
  const election: Required<Election> = {
    ...{ retry: 2_000, duration: 15_000, patience: 10_000, rivals: nobody },
    ...given,
  };
  const { clock, signal, retry, patience } = election;
  const state: State = { version: '', changedAt: elapsed() };
  let began = elapsed();
  while (!(await wins(election, state, began + patience))) {
    // Rivals who gave way to each other must not meet again.
    await pause(clock, jitteredWaitAfter(1, { first: retry, most: retry }), signal);
    if (signal.aborted) throw new Error('stopped before becoming the leader');
    began = elapsed();
  }
  const stop = new AbortController();
  const lost = new AbortController();
  const kept = keep(election, state, { began, until: AbortSignal.any([signal, stop.signal]), lost });
  return {
    signal: lost.signal,
    async release() {
      stop.abort();
      await kept;
      if (!lost.signal.aborted) await release(given);
    },
  };
}

/** The version of the lease that we saw last, and when we saw it first, as `elapsed` tells. */
interface State {
  version: string;
  changedAt: number;
}

interface Keeping {
  /** When the bid began that won, as `elapsed` tells. */
  readonly began: number;
  readonly until: AbortSignal;
  readonly lost: AbortController;
}

/** Renews until told to stop, until somebody else leads, or until no renewal that began within the patience has succeeded. */
async function keep(election: Required<Election>, state: State, { began, until, lost }: Keeping): Promise<void> {
  const { clock, retry, patience } = election;
  let end = began + patience;
  while (!until.aborted) {
    await pause(clock, Math.min(retry, end - elapsed()), until);
    if (until.aborted) return;
    const renewing = elapsed();
    const outcome = renewing < end ? await bid(election, state, end) : 'failed';
    // Where it was gone, rivals may have begun.
    const isOurs = outcome === 'kept' || (outcome === 'taken' && !(await isBarred(election, end)));
    if (isOurs) end = renewing + patience;
    else if (outcome !== 'failed' || elapsed() >= end) return lost.abort();
  }
}

/**
 * Whether the lease is ours and no rival leads. They are looked for once more when we have it: of two who take theirs at the
 * same time, one at least sees the other's, and gives way.
 */
async function wins(election: Required<Election>, state: State, deadline: number): Promise<boolean> {
  if (await isBarred(election, deadline)) return false;
  const outcome = await bid(election, state, deadline);
  if (outcome === 'theirs' || outcome === 'failed') return false;
  if (!(await isBarred(election, deadline))) return true;
  await release(election);
  return false;
}

/** Whether a rival leads; so it is, too, where that cannot be known. */
const isBarred = (election: Required<Election>, deadline: number): Promise<boolean> =>
  inTime(election, deadline, (client) => election.rivals.areAtWork(client), true);

/** What an attempt comes to that ends in time, whatever the network does. @param failed what it is when it fails */
async function inTime<T>(
  { client, clock, log, namespace, name }: Election,
  deadline: number,
  attempt: (client: Client) => Promise<T>,
  failed: T,
): Promise<T> {
  const late = new AbortController();
  const cancel = clock.after(Math.max(0, deadline - elapsed()), () => late.abort());
  try {
    return await attempt(client.until(late.signal));
  } catch (error) {
    if (!isConflict(error) && !isAlreadyExists(error)) log.error(`lease ${namespace}/${name}`, error);
    return failed;
  } finally {
    cancel();
  }
}

/** The lease was ours and is so still, or it became ours, or it is somebody else's, or that is not known. */
type Outcome = 'kept' | 'taken' | 'theirs' | 'failed';

/** One try, which ends in time. */
function bid(election: Required<Election>, state: State, deadline: number): Promise<Outcome> {
  const { clock, namespace, name, identity, duration, rivals } = election;
  const attempt = async (client: Client): Promise<Outcome> => {
    const lease = await unlessNotFound(client.get(leases, { namespace, name }));
    const version = lease?.metadata?.resourceVersion ?? '';
    if (version !== state.version) Object.assign(state, { version, changedAt: elapsed() });
    const plan = planBid(lease, identity, clock.now(), elapsed() - state.changedAt, duration);
    if (plan.wait) return 'theirs';
    const annotations = { ...lease?.metadata?.annotations, ...rivals.annotations };
    const next = { ...lease, metadata: { ...lease?.metadata, namespace, name, annotations }, spec: plan.spec };
    const written = await (lease ? client.replace(leases, next) : client.create(leases, next, { namespace }));
    Object.assign(state, { version: written.metadata?.resourceVersion ?? '', changedAt: elapsed() });
    return lease?.spec?.holderIdentity === identity ? 'kept' : 'taken';
  };
  return inTime<Outcome>(election, deadline, attempt, 'failed');
}

/** Gives the lease up, so that the next candidate need not wait for it to run out. */
async function release({ client, clock, log, namespace, name, identity }: Election): Promise<void> {
  try {
    const lease = await client.get(leases, { namespace, name });
    if (lease.spec?.holderIdentity !== identity) return;
    const renewTime = formatMicroTime(clock.now());
    await client.replace(leases, {
      ...lease,
      spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime },
    });
  } catch (error) {
    log.error(`lease ${namespace}/${name}`, error);
  }
}
