import type { FlagValues } from './flags.ts';
import { type StartOptions, startOptionNames } from './options.ts';
import { connectionFor, ownClient } from './own-client.ts';
import { unlessNotFound } from './runtime/api-error.ts';
import { systemClock } from './runtime/clock.ts';
import { serveHealth } from './runtime/health.ts';
import { millisecondsOf } from './runtime/kube-object.ts';
import { lead } from './runtime/leader-election.ts';
import { type Log, silentLog } from './runtime/log.ts';
import type { TextMetrics } from './runtime/metrics.ts';
import { leases } from './runtime/resources.ts';
import { identity, type RunningControllers, startControllers } from './start.ts';

type Flags = StartOptions & Omit<FlagValues, 'kubeconfig' | 'loggingFormat'>;

const logOf = ({ log = silentLog }: Flags): Log => log;

/** Runs until told to stop, or until another process has taken the lease. Resolves with the exit code. */
export async function runControllers(flags: Flags, metrics: TextMetrics, told: AbortSignal): Promise<number> {
  const state: { running?: RunningControllers } = {};
  metrics.gauge('process_resident_memory_bytes', {}, () => process.memoryUsage().rss);
  metrics.gauge('leader_election_master_status', { name: flags.leaderElectResourceName }, () =>
    state.running ? 1 : 0,
  );
  const health = flags.metricsBindAddress
    ? await serveHealth(flags.metricsBindAddress, {
        metrics,
        notAlive: () => undefined,
        // Waiting for the lease is what a second process is for, so it is ready for its work.
        notReady: () => state.running?.waiting().join(', ') || undefined,
      })
    : undefined;
  try {
    await refuseBesideOthers(flags);
    return flags.leaderElect ? await runAsLeader(flags, metrics, told, state) : await run(flags, metrics, told, state);
  } finally {
    health?.close();
  }
}

async function run(
  flags: Flags,
  metrics: TextMetrics,
  until: AbortSignal,
  state: { running?: RunningControllers },
): Promise<number> {
  const running = await startControllers(startOptionsOf(flags), { metrics });
  state.running = running;
  logOf(flags).info(`running ${running.names.join(', ')}`);
  if (!until.aborted) await new Promise((resolve) => until.addEventListener('abort', resolve));
  await running.stop();
  return 0;
}

const startOptionsOf = (flags: Flags): StartOptions =>
  Object.fromEntries(Object.entries(flags).filter(([name]) => startOptionNames.includes(name)));

/** Two controller managers undo each other's work. @throws Error when the stock one is at work on the cluster */
async function refuseBesideOthers(flags: Flags): Promise<void> {
  if (flags.force) return;
  const connection = await connectionFor(flags);
  try {
    const signal = AbortSignal.timeout(askWithin);
    const client = ownClient({ connection, clock: systemClock, signal });
    const lease = await unlessNotFound(
      client.get(leases, { namespace: 'kube-system', name: 'kube-controller-manager' }),
    );
    const { holderIdentity: holder = '', renewTime, leaseDurationSeconds = 15 } = lease?.spec ?? {};
    const heldUntil = (millisecondsOf(renewTime) ?? 0) + leaseDurationSeconds * 1000;
    if (holder && systemClock.now() < heldUntil)
      throw new Error(
        `the kube-controller-manager ${holder} is at work on this cluster (Lease kube-system/kube-controller-manager); --force runs beside it`,
      );
  } finally {
    connection.close();
  }
}

/** Milliseconds that the server may take to say whether others are at work. */
const askWithin = 30_000;

async function runAsLeader(flags: Flags, metrics: TextMetrics, told: AbortSignal, state: object): Promise<number> {
  const connection = await connectionFor(flags);
  const ending = new AbortController();
  const client = ownClient({ connection, clock: systemClock, signal: ending.signal });
  try {
    const leadership = await lead({ ...electionOf(flags), client, signal: told });
    const { signal: lost } = leadership;
    try {
      const code = await run({ ...flags, signal: lost }, metrics, AbortSignal.any([told, lost]), state);
      if (!lost.aborted) return code;
      logOf(flags).error('the lease is lost');
      return 1;
    } finally {
      // Also where nothing could begin: others may be able to.
      await leadership.release();
    }
  } catch (error) {
    if (told.aborted) return 0;
    throw error;
  } finally {
    ending.abort();
    connection.close();
  }
}

const electionOf = (flags: Flags) => ({
  clock: systemClock,
  log: logOf(flags),
  namespace: flags.leaderElectResourceNamespace,
  name: flags.leaderElectResourceName,
  identity,
  duration: flags.leaderElectLeaseDuration,
  patience: flags.leaderElectRenewDeadline,
  retry: flags.leaderElectRetryPeriod,
});
