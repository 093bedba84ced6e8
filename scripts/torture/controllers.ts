#!/usr/bin/env node
// Runs a Job and a rolling update while connections break and controllers are killed at random moments, then counts.
// `npm run torture-controllers -- [--disconnects 500] [--kills 10] [--seed N]`. Exit 1 with what is not as it should be.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { randomOf } from '../../conformance/oracle/play/random.ts';
import { Client } from '../../controllers/runtime/client.ts';
import { systemClock } from '../../controllers/runtime/clock.ts';
import { connect } from '../../controllers/runtime/connection/connection.ts';
import { deployments, jobs, pods, replicaSets } from '../../controllers/runtime/resources.ts';
import { startControllers } from '../../controllers/start.ts';
import { startRelay } from '../../controllers/testing/relay.fixture.ts';
import { startServer } from '../../server/start.ts';
import { given, numberGiven } from '../given.ts';

const { values } = given('torture-controllers', {
  options: {
    disconnects: { type: 'string', default: '500' },
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const random = randomOf(numberGiven('torture-controllers', 'seed', values.seed, 'from 0 up'), 'moments');
const names = ['job', 'deployment', 'replicaset', 'garbagecollector'];
const namespace = 'default';
const [completions, replicas] = [300, 100];
/** Milliseconds. */
const patience = 600_000;

// The node and the scheduler are the world; who is tormented are the controllers.
const server = await startServer({ controllers: ['serviceaccount', 'nodelifecycle', 'node-agent', 'scheduler'] });
const relay = await startRelay(server);
const connection = await connect({ text: server.kubeconfig });
const signal = AbortSignal.timeout(patience);
const client = new Client({ connection, clock: systemClock, signal, userAgent: 'torture' });

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + patience; !(await holds()); await pause(100))
    if (Date.now() > end) throw new Error(`${what}: not within ${patience} ms`);
}

const container = (image: string) => ({ containers: [{ name: 'c', image }] });
const labels = { app: 'web' };

async function begin(round: string): Promise<void> {
  const annotations = { 'touchstone.example/run-for': '50ms' };
  const job = { metadata: { annotations }, spec: { ...container('i'), restartPolicy: 'Never' } };
  const spec = { completions, parallelism: 20, template: job };
  await client.create(jobs, { metadata: { name: `job-${round}` }, spec }, { namespace });
  const template = { metadata: { labels: { ...labels, round } }, spec: container('one') };
  const selector = { matchLabels: { ...labels, round } };
  const metadata = { name: `web-${round}` };
  await client.create(deployments, { metadata, spec: { replicas, selector, template } }, { namespace });
}

/** Waits for the first template, asks for the second, and waits for all to end. */
async function finish(round: string): Promise<void> {
  const at = { namespace, name: `web-${round}` };
  const settled = async (image: string) => {
    const { metadata, spec, status = {} } = await client.get(deployments, at);
    const counts = [status.updatedReplicas, status.availableReplicas, status.replicas];
    const isSeen = status.observedGeneration === metadata?.generation;
    return isSeen && spec?.template.spec?.containers[0]?.image === image && counts.every((count) => count === replicas);
  };
  await until('the first template', () => settled('one'));
  await client.patch(deployments, at, { spec: { template: { spec: container('two') } } }, 'strategic');
  await until('the second template', () => settled('two'));
  await until('the job', async () => {
    const { status } = await client.get(jobs, { namespace, name: `job-${round}` });
    return status?.conditions?.some(({ type }) => type === 'Complete') ?? false;
  });
}

/** What is not as it should be, one line each. */
async function judge(round: string): Promise<readonly string[]> {
  const { items: all } = await client.list(pods, { namespace });
  const { status } = await client.get(jobs, { namespace, name: `job-${round}` });
  const { items: sets } = await client.list(replicaSets, { namespace });
  const ofJob = all.filter(({ metadata }) => metadata?.labels?.['job-name'] === `job-${round}`);
  const ofWeb = all.filter(({ metadata }) => metadata?.labels?.['round'] === round);
  const sizes = sets.filter(({ metadata }) => metadata?.labels?.['round'] === round).map(({ spec }) => spec?.replicas);
  const uncounted = status?.uncountedTerminatedPods ?? {};
  const wanted: readonly (readonly [string, unknown, unknown])[] = [
    ['completions that the job tells', status?.succeeded, completions],
    ['failures that it tells', status?.failed ?? 0, 0],
    ['pods of the job', ofJob.length, completions],
    ['pods that are still held', ofJob.filter(({ metadata }) => metadata?.finalizers?.length).length, 0],
    ['pods that are not counted', [uncounted.succeeded, uncounted.failed].flat().filter(Boolean).length, 0],
    ['pods of the deployment', ofWeb.length, replicas],
    ['its sets', JSON.stringify(sizes.sort()), JSON.stringify([0, replicas])],
  ];
  return wanted.filter(([, is, should]) => is !== should).map(([what, is, should]) => `${what}: ${is}, not ${should}`);
}

/** Breaks all connections, so many times. */
async function disconnects(times: number): Promise<readonly string[]> {
  const running = await startControllers({ kubeconfig: relay.kubeconfig, controllers: names });
  await begin('cut');
  const over = finish('cut');
  for (let left = times; left > 0; left--) {
    await pause(random.below(60));
    relay.cut();
  }
  await over;
  const faults = await judge('cut');
  await running.stop();
  return faults;
}

const folder = mkdtempSync(join(tmpdir(), 'touchstone-torture-'));

function controllers(): ChildProcess {
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, server.kubeconfig, { mode: 0o600 });
  const command = fileURLToPath(new URL('../../touchstone.ts', import.meta.url));
  const flags = ['controllers', `--kubeconfig=${file}`, `--controllers=${names}`, '--leader-elect=false'];
  return spawn(process.execPath, [command, ...flags], { stdio: 'ignore' });
}

/** Kills the process, so many times, each time after up to two seconds of work. */
async function kills(times: number): Promise<readonly string[]> {
  await begin('kill');
  const over = finish('kill');
  for (let left = times; left > 0; left--) {
    const child = controllers();
    await pause(500 + random.below(2_000));
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const last = controllers();
  await over;
  last.kill('SIGTERM');
  return judge('kill');
}

process.stdout.write(`seed ${values.seed}\n`);
const [cuts, ends] = (['disconnects', 'kills'] as const).map((flag) =>
  numberGiven('torture-controllers', flag, values[flag], 'from 0 up'),
) as [number, number];
const faults = [...(await disconnects(cuts)), ...(await kills(ends))];
process.stdout.write(faults.length > 0 ? `${faults.join('\n')}\n` : 'every count is exact\n');
connection.close();
relay.close();
await server.stop();
rmSync(folder, { recursive: true, force: true });
process.exitCode = faults.length > 0 ? 1 : 0;
