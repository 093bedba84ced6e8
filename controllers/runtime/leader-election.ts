import { isAlreadyExists, isConflict, unlessNotFound } from './api-error.ts';
import type { Client } from './client.ts';
import { type Clock, formatMicroTime, pause } from './clock.ts';
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
  readonly signal: AbortSignal;
}

/** What to do with a lease: nothing yet, or write it like this. */
export type Bid = { readonly wait: true } | { readonly wait: false; readonly spec: NonNullable<Lease['spec']> };

/**
 * Decides from a lease and from when we saw it change last (on our own clock: the holder's may be wrong) whether it is
 * ours, free, or to be waited for.
 */
export function planBid(
  lease: Lease | undefined,
  me: string,
  now: number,
  seenChangeAt: number,
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
  if (holder && now < seenChangeAt + leaseDurationSeconds * 1000) return { wait: true };
  const transitions = lease?.spec && holder !== me ? leaseTransitions + 1 : leaseTransitions;
  const spec = { holderIdentity: me, leaseDurationSeconds: seconds, acquireTime: renewTime, renewTime };
  return { wait: false, spec: { ...spec, leaseTransitions: transitions } };
}

/**
 * Waits until we hold the lease, then keeps it.
 * @returns a promise that resolves when we lead, with one that resolves when we do not lead any longer
 */
export async function lead(election: Election): Promise<{ readonly lost: Promise<void>; release(): Promise<void> }> {
  const { clock, signal, retry = 2_000, duration = 15_000, patience = 10_000 } = election;
  const state: State = { version: '', changedAt: clock.now() };
  while (!(await bid(election, state, duration))) {
    await pause(clock, retry, signal);
    if (signal.aborted) throw new Error('stopped before becoming the leader');
  }
  const stop = new AbortController();
  const renewing = AbortSignal.any([signal, stop.signal]);
  const lost = keep(election, state, { renewing, retry, duration, patience });
  return {
    lost,
    async release() {
      stop.abort();
      await lost;
      await release(election);
    },
  };
}

interface State {
  version: string;
  changedAt: number;
}

interface Keeping {
  readonly renewing: AbortSignal;
  readonly retry: number;
  readonly duration: number;
  readonly patience: number;
}

async function keep(election: Election, state: State, { renewing, retry, duration, patience }: Keeping): Promise<void> {
  let renewedAt = election.clock.now();
  while (!renewing.aborted && election.clock.now() - renewedAt < patience) {
    await pause(election.clock, retry, renewing);
    if (renewing.aborted) return;
    const began = election.clock.now();
    if (await bid(election, state, duration)) renewedAt = began;
  }
}

/** One try. Failures of the network count as not holding it this time. */
async function bid(election: Election, state: State, duration: number): Promise<boolean> {
  const { client, clock, log, namespace, name, identity } = election;
  try {
    const lease = await unlessNotFound(client.get(leases, { namespace, name }));
    const version = lease?.metadata?.resourceVersion ?? '';
    if (version !== state.version) Object.assign(state, { version, changedAt: clock.now() });
    const plan = planBid(lease, identity, clock.now(), state.changedAt, duration);
    if (plan.wait) return false;
    const written = lease
      ? await client.replace(leases, { ...lease, spec: plan.spec })
      : await client.create(leases, { metadata: { namespace, name }, spec: plan.spec }, { namespace });
    Object.assign(state, { version: written.metadata?.resourceVersion ?? '', changedAt: clock.now() });
    return true;
  } catch (error) {
    if (!isConflict(error) && !isAlreadyExists(error)) log.error(`lease ${namespace}/${name}`, error);
    return false;
  }
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
