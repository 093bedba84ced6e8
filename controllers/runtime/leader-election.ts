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

/** What it is to lead. */
export interface Leadership {
  /** Aborted as soon as we do not lead any longer, before anyone else may: all that a leader writes hangs on it. */
  readonly signal: AbortSignal;
  /** Gives the lease up, so that the next candidate need not wait for it to run out. */
  release(): Promise<void>;
}

/** Waits until we hold the lease, then keeps it. @throws Error when told to stop before */
export async function lead(given: Election): Promise<Leadership> {
  const election: Required<Election> = { retry: 2_000, duration: 15_000, patience: 10_000, ...given };
  const { clock, signal, retry, patience } = election;
  const state: State = { version: '', changedAt: clock.now() };
  let began = clock.now();
  while (!(await bid(election, state, began + patience))) {
    await pause(clock, retry, signal);
    if (signal.aborted) throw new Error('stopped before becoming the leader');
    began = clock.now();
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

interface State {
  version: string;
  changedAt: number;
}

interface Keeping {
  /** When the bid began that won. */
  readonly began: number;
  readonly until: AbortSignal;
  readonly lost: AbortController;
}

/** Renews until told to stop, or until no renewal that began within the patience has succeeded. */
async function keep(election: Required<Election>, state: State, { began, until, lost }: Keeping): Promise<void> {
  const { clock, retry, patience } = election;
  let end = began + patience;
  while (!until.aborted) {
    await pause(clock, Math.min(retry, end - clock.now()), until);
    if (until.aborted) return;
    const renewing = clock.now();
    if (renewing < end && (await bid(election, state, end))) end = renewing + patience;
    else if (clock.now() >= end) return lost.abort();
  }
}

/** One try, which ends in time, whatever the network does. Its failures count as not holding the lease this time. */
async function bid(election: Required<Election>, state: State, deadline: number): Promise<boolean> {
  const { clock, log, namespace, name, identity, duration } = election;
  const late = new AbortController();
  const cancel = clock.after(Math.max(0, deadline - clock.now()), () => late.abort());
  const client = election.client.until(late.signal);
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
  } finally {
    cancel();
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
