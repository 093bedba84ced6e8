import type { FlagValues } from './flags.ts';
import type { StartOptions } from './options.ts';
import { Client } from './runtime/client.ts';
import { systemClock } from './runtime/clock.ts';
import { connect } from './runtime/connection.ts';
import { serveHealth } from './runtime/health.ts';
import { lead } from './runtime/leader-election.ts';
import { silentLog } from './runtime/log.ts';
import type { TextMetrics } from './runtime/metrics.ts';
import { identity, type RunningControllers, startControllers } from './start.ts';

type Flags = StartOptions & Omit<FlagValues, 'kubeconfig'>;

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
  const log = flags.log ?? silentLog;
  const running = await startControllers(flags, { metrics });
  state.running = running;
  log.info(`running ${running.names.join(', ')}`);
  if (!until.aborted) await new Promise((resolve) => until.addEventListener('abort', resolve));
  await running.stop();
  return 0;
}

async function runAsLeader(flags: Flags, metrics: TextMetrics, told: AbortSignal, state: object): Promise<number> {
  const log = flags.log ?? silentLog;
  const { kubeconfigFile: file, context } = flags;
  const connection = await connect({ ...(file && { file }), ...(context && { context }) });
  const ending = new AbortController();
  const client = new Client({
    connection,
    clock: systemClock,
    signal: ending.signal,
    userAgent: 'touchstone-controllers',
  });
  try {
    const leadership = await lead({
      client,
      clock: systemClock,
      log,
      namespace: flags.leaderElectResourceNamespace,
      name: flags.leaderElectResourceName,
      identity,
      duration: flags.leaderElectLeaseDuration,
      patience: flags.leaderElectRenewDeadline,
      retry: flags.leaderElectRetryPeriod,
      signal: told,
    });
    const { signal: lost } = leadership;
    const code = await run({ ...flags, signal: lost }, metrics, AbortSignal.any([told, lost]), state);
    if (lost.aborted) {
      log.error('the lease is lost');
      return 1;
    }
    await leadership.release();
    return code;
  } catch (error) {
    if (told.aborted) return 0;
    throw error;
  } finally {
    ending.abort();
    connection.close();
  }
}
