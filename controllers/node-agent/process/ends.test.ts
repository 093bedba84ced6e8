import { PassThrough, Writable } from 'node:stream';
import { Exec } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/lab.fixture.ts';
import { type ProcessSpec, signalGroup, start } from './container-process.ts';
import type { PodRun } from './pod-run.ts';
import { isAlive, namespace, type ProcessNode, shell, startProcessNode } from './process-node.fixture.ts';
import { ProcessRuntime } from './process-runtime.ts';

let node: ProcessNode;
beforeAll(async () => {
  node = await startProcessNode();
});
afterAll(() => node.server.stop());

const create: ProcessNode['create'] = (...pod) => node.create(...pod);
const phase: ProcessNode['phase'] = (...pod) => node.phase(...pod);
const logged = (name: string) =>
  eventually(
    async () => (await node.api.readNamespacedPodLog({ namespace, name }).catch(() => '')).trim() || undefined,
  );

const gone = (pid: number) => eventually(async () => (isAlive(pid) ? undefined : true));
const isAway = (name: string) =>
  eventually(() =>
    node.api.readNamespacedPod({ namespace, name }).then(
      () => undefined,
      () => true,
    ),
  );

describe('with its first process a container is over, and', () => {
  test.each([
    ['holds-output', 'sleep 1000 & echo $!; exit 3', 3],
    ['holds-nothing', 'sleep 1000 >/dev/null 2>&1 & echo $!; exit 0', 0],
  ])('so are others: %s', async (name, script, code) => {
    await create(name, shell(script));
    const { status } = await phase(name, code === 0 ? 'Succeeded' : 'Failed');
    expect(status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(code);
    await gone(Number(await logged(name)));
  });

  test('nobody who left its group holds it up', async () => {
    await create('escaped', shell('setsid sleep 20 & exit 0'));
    await phase('escaped', 'Succeeded');
  });

  test('a child deaf to SIGTERM does not hold up the end of its pod', async () => {
    await create('deaf-child', shell('(trap "" TERM; echo up; sleep 1000; sleep 1000) & wait'));
    await logged('deaf-child');
    await node.api.deleteNamespacedPod({ namespace, name: 'deaf-child', gracePeriodSeconds: 2 });
    await isAway('deaf-child');
  });

  test('that it begins and is stopped is told', async () => {
    await create('told', shell('echo up; sleep 1000'));
    await logged('told');
    await node.api.deleteNamespacedPod({ namespace, name: 'told' });
    await isAway('told');
    const fieldSelector = 'involvedObject.name=told';
    await eventually(async () => {
      const { items } = await node.api.listNamespacedEvent({ namespace, fieldSelector });
      const told = items.map(({ type, reason, message }) => `${type} ${reason}: ${message}`).join();
      return told.includes('Normal Started: Started container c') &&
        told.includes('Normal Killing: Stopping container c')
        ? true
        : undefined;
    });
  });

  test('less grace counts, also when it comes later', async () => {
    await create('hurried', shell('trap "" TERM; echo up; sleep 1000; sleep 1000'));
    await logged('hurried');
    await node.api.deleteNamespacedPod({ namespace, name: 'hurried', gracePeriodSeconds: 60 });
    await node.api.deleteNamespacedPod({ namespace, name: 'hurried', gracePeriodSeconds: 1 });
    await isAway('hurried');
  });

  test('so is what is run beside it', async () => {
    await create('beside', shell('sleep 1000'));
    await phase('beside', 'Running');
    const out = new PassThrough();
    await new Exec(node.config).exec(
      namespace,
      'beside',
      'c',
      ['sh', '-c', 'echo $$; sleep 1000'],
      out,
      null,
      null,
      false,
    );
    const pid = Number(await new Promise((resolve) => out.once('data', (data) => resolve(String(data)))));
    await node.api.deleteNamespacedPod({ namespace, name: 'beside', gracePeriodSeconds: 1 });
    await isAway('beside');
    await gone(pid);
  });
});

test('parts of volumes are made where they are not there, also those that variables name', async () => {
  const volumeMounts = [
    { name: 'd', mountPath: '/data', subPath: 'a/b' },
    { name: 'd', mountPath: '/own', subPathExpr: '$(WHO)' },
    { name: 'd', mountPath: '/all' },
  ];
  const script = 'echo x > /data/f; echo y > /own/f; cat /all/a/b/f /all/me/f';
  const container = shell(script, { volumeMounts, env: [{ name: 'WHO', value: 'me' }] });
  await create('parts', container, { volumes: [{ name: 'd', emptyDir: {} }] });
  await phase('parts', 'Succeeded');
  expect(await logged('parts')).toBe('x\ny');
});

describe('why it ended a container tells', () => {
  const fallback = { terminationMessagePolicy: 'FallbackToLogsOnError' };
  test.each<[string, string, object, string | undefined]>([
    ['in-its-file', 'echo log; printf "no disk" > /dev/termination-log; exit 3', fallback, 'no disk'],
    ['in-a-file-of-its-choice', 'printf chosen > /tmp/why', { terminationMessagePath: '/tmp/why' }, 'chosen'],
    ['at-the-end', 'head -c 5000 /dev/zero | tr "\\0" a > /dev/termination-log', {}, 'a'.repeat(4096)],
    [
      'in-its-log-if-it-failed',
      'seq 100; exit 3',
      fallback,
      Array.from({ length: 80 }, (_, i) => `${i + 21}\n`).join(''),
    ],
    ['not-in-its-log-else', 'echo log', fallback, undefined],
    ['not-in-its-log-unasked', 'echo log; exit 3', {}, undefined],
  ])('%s', async (name, script, more, expected) => {
    await create(name, shell(script, more));
    const { status } = await phase(name, script.includes('exit 3') ? 'Failed' : 'Succeeded');
    expect(status?.containerStatuses?.[0]?.state?.terminated?.message).toBe(expected);
  });
});

test('a deadline counts while a pod is prepared, too', async () => {
  const initContainers = [shell('sleep 1000', { name: 'i' })];
  await create('late', shell('true'), { activeDeadlineSeconds: 1, initContainers });
  const { status } = await phase('late', 'Failed');
  expect(status?.reason).toBe('DeadlineExceeded');
});

test('who fails a liveness probe has as long to stop as its pod says', async () => {
  const livenessProbe = { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 1 };
  const deaf = shell('trap "" TERM; while true; do sleep 0.1; done', { livenessProbe });
  await create('ill', deaf, { terminationGracePeriodSeconds: 1 });
  const { status } = await phase('ill', 'Failed');
  expect(status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(137);
});

test('so has who is stopped because what belongs to its start failed', async () => {
  const lifecycle = { postStart: { exec: { command: ['sh', '-c', 'sleep 0.3; exit 1'] } } };
  const orderly = shell('trap "exit 7" TERM; while true; do sleep 0.1; done', { lifecycle });
  await create('unstarted', orderly, { terminationGracePeriodSeconds: 20 });
  const { status } = await phase('unstarted', 'Failed');
  expect(status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(7);
});

test('every signal has its number', async () => {
  await create('usr', shell('kill -USR1 $$$$'));
  const { status } = await phase('usr', 'Failed');
  expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 138, signal: 10 });
});

test('a command whose client goes before it begins is ended', async () => {
  const pid = Promise.withResolvers<number>();
  const container = { name: 'c' };
  const run = {
    container,
    state: { type: 'running' },
    async startBeside(spec: ProcessSpec) {
      const child = await start(spec);
      pid.resolve(child.pid ?? 0);
      return child;
    },
  };
  const specOf = async () => ({ argv: ['sleep', '1000'], env: {}, cwd: '/' });
  const runtime = new ProcessRuntime();
  runtime.runs.set('u', { find: () => run, specOf } as never as PodRun);
  const streams = { tty: false, endless: false, onResize: () => {}, signal: AbortSignal.abort() };
  expect(await runtime.exec({ metadata: { uid: 'u' } }, 'c', ['sleep', '1000'], streams)).toBe(137);
  expect(isAlive(await pid.promise)).toBe(false);
});

test('a client who does not read what it has attached to makes nothing wait without end', async () => {
  const child = await start({ argv: ['yes'], env: {}, cwd: '/' });
  child.stdout?.setEncoding('utf8');
  const run = { container: { name: 'c' }, state: { type: 'running' }, child };
  const runtime = new ProcessRuntime();
  runtime.runs.set('u', { find: () => run } as never as PodRun);
  const stdout = new Writable({ write: () => {} });
  const left = new AbortController();
  const streams = { tty: false, endless: false, onResize: () => {}, signal: left.signal, stdout };
  const attached = runtime.attach({ metadata: { uid: 'u' } }, 'c', streams);
  await eventually(async () => (stdout.writableLength > 4e6 ? true : undefined));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(stdout.writableLength).toBeLessThan(6e6);
  left.abort();
  await attached;
  signalGroup(child, 'SIGKILL');
});
