import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CoreV1Api, Exec, KubeConfig, type V1Container, type V1Status } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { startServer } from '../../../server/start.ts';
import { eventually } from '../../testing/lab.fixture.ts';
import { isAlive, namespace, type ProcessNode, shell, startProcessNode } from './process-node.fixture.ts';

let node: ProcessNode;
const shared = temporaryFolder();
beforeAll(async () => {
  node = await startProcessNode({ nodeHostPaths: [shared] });
});
afterAll(() => node.server.stop());

const create: ProcessNode['create'] = (...pod) => node.create(...pod);
const phase: ProcessNode['phase'] = (...pod) => node.phase(...pod);
const log = (name: string, container = 'c') => node.api.readNamespacedPodLog({ namespace, name, container });

async function exec(name: string, command: string[], stdin?: string) {
  const [stdout, ended] = [new PassThrough(), Promise.withResolvers<V1Status>()];
  const input = stdin === undefined ? null : new PassThrough();
  await new Exec(node.config).exec(namespace, name, 'c', command, stdout, null, input, false, ended.resolve);
  input?.end(stdin);
  const status = await ended.promise;
  return { status, out: await text(stdout.end()) };
}

interface Summary {
  readonly pods: readonly {
    readonly podRef: { readonly name: string };
    readonly containers: readonly {
      readonly cpu: { readonly usageCoreNanoSeconds: number };
      readonly memory: { readonly workingSetBytes: number };
    }[];
  }[];
}

describe('a pod', () => {
  test.each([
    [0, 'Succeeded', 'Completed'],
    [3, 'Failed', 'Error'],
  ])('whose command exits with %i has %s', async (code, wanted, reason) => {
    await create(`exits-${code}`, shell(`echo out; echo err >&2; exit ${code}`));
    const { status } = await phase(`exits-${code}`, wanted);
    expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: code, reason });
    expect((await log(`exits-${code}`)).split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  test('runs what its image means', async () => {
    await create('imaged', { name: 'c', image: 'node:22', args: ['-p', '6*7'] });
    await phase('imaged', 'Succeeded');
    expect(await log('imaged')).toBe('42\n');
  });

  test.each<[string, V1Container, object]>([
    ['without anything to run', { name: 'c', image: 'unheard-of' }, { waiting: { reason: 'ErrImageNeverPull' } }],
    [
      'whose ConfigMap is not there',
      shell('true', { envFrom: [{ configMapRef: { name: 'nowhere' } }] }),
      { waiting: { reason: 'CreateContainerConfigError', message: 'configmap "nowhere" not found' } },
    ],
    [
      'whose command is not there',
      { name: 'c', image: 'any', command: ['/no/such/command'] },
      { terminated: { exitCode: 128, reason: 'StartError' } },
    ],
  ])('%s tells why', async (title, container, state) => {
    const name = title.replaceAll(' ', '-').toLowerCase();
    await create(name, container);
    await eventually(async () => {
      const { status } = await node.api.readNamespacedPod({ namespace, name });
      const now = status?.containerStatuses?.[0]?.state;
      return now && (now.terminated || now.waiting?.reason !== 'ContainerCreating') ? now : undefined;
    }).then((now) => expect(now).toMatchObject(state));
  });

  test('is prepared by its init containers, in order, and shares volumes with them', async () => {
    const volumeMounts = [{ name: 'work', mountPath: '/data' }];
    const init = (name: string) => shell(`echo ${name} >> /data/order`, { name, volumeMounts });
    await create('prepared', shell('cat /data/order', { volumeMounts }), {
      initContainers: [init('first'), init('second')],
      volumes: [{ name: 'work', emptyDir: {} }],
    });
    await phase('prepared', 'Succeeded');
    expect(await log('prepared')).toBe('first\nsecond\n');
  });

  test('sees what ConfigMaps, Secrets, its fields and its token say, in files for its owner alone', async () => {
    await node.api.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name: 'm' }, data: { a: 'A', b: 'B' } },
    });
    await node.api.createNamespacedSecret({ namespace, body: { metadata: { name: 's' }, stringData: { k: 'hush' } } });
    const volumes = [
      { name: 'm', configMap: { name: 'm', items: [{ key: 'a', path: 'deep/a.txt' }] } },
      { name: 's', secret: { secretName: 's' } },
      {
        name: 'p',
        projected: {
          sources: [
            { serviceAccountToken: { path: 'token', audience: 'me' } },
            { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
          ],
        },
      },
    ];
    const volumeMounts = ['m', 's', 'p'].map((name) => ({ name, mountPath: `/vol/${name}` }));
    const script = 'cat /vol/m/deep/a.txt /vol/s/k /vol/p/name; cut -c1-2 /vol/p/token; ls -l /vol/s/k | cut -c1-10';
    await create('seeing', shell(script, { volumeMounts }), { volumes });
    await phase('seeing', 'Succeeded');
    expect(await log('seeing')).toBe('AhushseeingeyJ\n-rw-------\n'.replace('eyJ', 'ey'));
  });

  test('finds the server as its account, by a kubeconfig in its home', async () => {
    await create('client', shell('cat $HOME/.kube/config; sleep 1000'));
    const text = await eventually(() =>
      log('client').then(
        (told) => told || undefined,
        () => undefined,
      ),
    );
    const config = new KubeConfig();
    config.loadFromString(text);
    expect(config.getContextObject(config.currentContext)?.namespace).toBe(namespace);
    const asked = config.makeApiClient(CoreV1Api).listNamespacedSecret({ namespace });
    await expect(asked).rejects.toThrow('system:serviceaccount:default:default');
  });

  test('gets the folders of the machine that it may, and no others', async () => {
    mkdirSync(join(shared, 'given'), { recursive: true });
    writeFileSync(join(shared, 'given', 'file'), 'from outside');
    const volumeMounts = [{ name: 'h', mountPath: '/host' }];
    const volumes = [{ name: 'h', hostPath: { path: join(shared, 'given') } }];
    await create('allowed', shell('cat /host/file; echo back > /host/answer', { volumeMounts }), { volumes });
    await phase('allowed', 'Succeeded');
    expect(await log('allowed')).toBe('from outside');
    expect(readFileSync(join(shared, 'given', 'answer'), 'utf8')).toBe('back\n');
    await create('forbidden', shell('cat /host/passwd', { volumeMounts }), {
      volumes: [{ name: 'h', hostPath: { path: '/etc' } }],
    });
    const { items } = await eventually(async () => {
      const events = await node.api.listNamespacedEvent({
        namespace,
        fieldSelector: 'involvedObject.name=forbidden,reason=FailedMount',
      });
      return events.items.length > 0 ? events : undefined;
    });
    expect(items[0]?.message).toContain('/etc is in no folder that pods may use');
    expect((await node.api.readNamespacedPod({ namespace, name: 'forbidden' })).status?.phase).toBe('Pending');
  });

  test('gets the volume of a claim that was made for it', async () => {
    const path = join(shared, 'scratch');
    const common = { storageClassName: 'manual', accessModes: ['ReadWriteOnce'] };
    const volume = { ...common, capacity: { storage: '1Gi' }, hostPath: { path, type: 'DirectoryOrCreate' } };
    await node.api.createPersistentVolume({ body: { metadata: { name: 'scratch' }, spec: volume } });
    const claim = { ...common, resources: { requests: { storage: '1Gi' } } };
    const volumes = [{ name: 'd', ephemeral: { volumeClaimTemplate: { spec: claim } } }];
    await create('claiming', shell('echo kept > /d/file', { volumeMounts: [{ name: 'd', mountPath: '/d' }] }), {
      volumes,
    });
    await phase('claiming', 'Succeeded');
    expect(readFileSync(join(path, 'file'), 'utf8')).toBe('kept\n');
  });

  test('that is deleted may finish, and its folder goes with it', async () => {
    await create('ending', shell('trap "echo told; exit 0" TERM; echo $HOME; while true; do sleep 0.05; done'));
    await phase('ending', 'Running');
    const home = (await eventually(async () => (await log('ending')) || undefined)).trim();
    expect(existsSync(home)).toBe(true);
    await node.api.deleteNamespacedPod({ namespace, name: 'ending', gracePeriodSeconds: 20 });
    await eventually(async () => (existsSync(home) ? undefined : true));
    await expect(node.api.readNamespacedPod({ namespace, name: 'ending' })).rejects.toMatchObject({ code: 404 });
  });

  test('that does not listen is killed when its time is up, with all that it started', async () => {
    await create('deaf', shell('trap "" TERM; sleep 1000 & echo $!; wait; sleep 1000'));
    await phase('deaf', 'Running');
    const pid = Number(await eventually(async () => (await log('deaf')) || undefined));
    expect(isAlive(pid)).toBe(true);
    await node.api.deleteNamespacedPod({ namespace, name: 'deaf', gracePeriodSeconds: 1 });
    await eventually(async () => (isAlive(pid) ? undefined : true));
  });

  test('is restarted by its policy, and the log before can still be read', async () => {
    const script = 'if [ -e /d/seen ]; then echo again; sleep 1000; fi; touch /d/seen; echo once; exit 1';
    const container = shell(script, { volumeMounts: [{ name: 'd', mountPath: '/d' }] });
    await create('again', container, { restartPolicy: 'OnFailure', volumes: [{ name: 'd', emptyDir: {} }] });
    const restarted = await eventually(async () => {
      const { status } = await node.api.readNamespacedPod({ namespace, name: 'again' });
      return status?.containerStatuses?.[0]?.restartCount === 1 ? status.containerStatuses[0] : undefined;
    }, 20_000);
    expect(restarted.lastState?.terminated).toMatchObject({ exitCode: 1 });
    expect(await node.api.readNamespacedPodLog({ namespace, name: 'again', previous: true })).toBe('once\n');
  });

  test('begins again at once the first time; then it waits, and its log stays to be read', async () => {
    await create('crashing', shell('echo why; exit 1'), { restartPolicy: 'Always' });
    const waiting = await eventually(async () => {
      const { status } = await node.api.readNamespacedPod({ namespace, name: 'crashing' });
      const [container] = status?.containerStatuses ?? [];
      return container?.state?.waiting?.reason === 'CrashLoopBackOff' ? container : undefined;
    }, 5_000);
    expect(waiting).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 1 } } });
    for (const previous of [false, true])
      expect(await node.api.readNamespacedPodLog({ namespace, name: 'crashing', previous })).toBe('why\n');
  });

  test('that is still being prepared says so to who asks for its log', async () => {
    const initContainers = [shell('sleep 1000', { name: 'first' })];
    await create('preparing', shell('true'), { initContainers });
    await eventually(async () => {
      const { status } = await node.api.readNamespacedPod({ namespace, name: 'preparing' });
      return status?.initContainerStatuses?.[0]?.state?.running;
    });
    await expect(log('preparing')).rejects.toThrow('is waiting to start: PodInitializing');
  });

  test('is ready when its probe says so, and ended when another fails', async () => {
    const volumeMounts = [{ name: 'd', mountPath: '/d' }];
    const probe = (file: string) => ({
      exec: { command: ['test', '-e', file] },
      periodSeconds: 1,
      failureThreshold: 1,
    });
    await create(
      'probed',
      shell('touch /d/alive; sleep 1000', {
        volumeMounts,
        readinessProbe: probe('/d/ready'),
        livenessProbe: { ...probe('/d/alive'), initialDelaySeconds: 1 },
      }),
      { volumes: [{ name: 'd', emptyDir: {} }] },
    );
    await phase('probed', 'Running');
    const isReady = async () =>
      (await node.api.readNamespacedPod({ namespace, name: 'probed' })).status?.containerStatuses?.[0]?.ready;
    expect(await isReady()).toBe(false);
    await exec('probed', ['touch', '/d/ready']);
    await eventually(async () => (await isReady()) || undefined);
    await exec('probed', ['rm', '/d/alive']);
    const { status } = await phase('probed', 'Failed');
    expect(status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(143);
    await eventually(async () => {
      const fieldSelector = 'involvedObject.name=probed,reason=Unhealthy';
      const { items } = await node.api.listNamespacedEvent({ namespace, fieldSelector });
      return items.some(({ message }) => message === 'Liveness probe failed: command exited with 1') || undefined;
    });
  });
});

test('a command beside a container has its environment, its input and an exit code', async () => {
  await create('beside', shell('sleep 1000', { env: [{ name: 'WHO', value: 'world' }] }));
  await phase('beside', 'Running');
  expect((await exec('beside', ['sh', '-c', 'echo hello $WHO'])).out).toBe('hello world\n');
  expect((await exec('beside', ['cat'], 'through')).out).toBe('through');
  expect((await exec('beside', ['sh', '-c', 'exit 7'])).status.details?.causes).toEqual([
    { reason: 'ExitCode', message: '7' },
  ]);
  expect((await exec('beside', ['/no/such'])).status).toMatchObject({ status: 'Failure' });
});

test.runIf(process.platform === 'linux')('the node tells what its containers use', async () => {
  await create('busy', { name: 'c', image: 'node', args: ['-e', 'for (;;) ;'] });
  await phase('busy', 'Running');
  const used = await eventually(async () => {
    const answer = await node.api.connectGetNodeProxyWithPath({ name: 'touchstone-node', path: 'stats/summary' });
    const { pods } = (typeof answer === 'string' ? JSON.parse(answer) : answer) as Summary;
    const [container] = pods.find(({ podRef }) => podRef.name === 'busy')?.containers ?? [];
    return container && container.cpu.usageCoreNanoSeconds > 1e8 ? container : undefined;
  });
  expect(used.memory.workingSetBytes).toBeGreaterThan(10_000_000);
  await node.api.deleteNamespacedPod({ namespace, name: 'busy', gracePeriodSeconds: 0 });
});

test('an ephemeral container runs beside the others, once', async () => {
  await create('helped', shell('sleep 1000'));
  await phase('helped', 'Running');
  const body = { spec: { ephemeralContainers: [shell('echo helping', { name: 'e' })] } };
  await node.api.patchNamespacedPodEphemeralcontainers({
    namespace,
    name: 'helped',
    body: [{ op: 'add', path: '/spec/ephemeralContainers', value: body.spec.ephemeralContainers }],
  });
  await eventually(async () => {
    const { status } = await node.api.readNamespacedPod({ namespace, name: 'helped' });
    return status?.ephemeralContainerStatuses?.[0]?.state?.terminated;
  });
  expect(await log('helped', 'e')).toBe('helping\n');
});

test('a server that others may reach runs nothing', async () => {
  await expect(startServer({ controllers: ['*'], nodeRuntime: 'process', bindAddress: '0.0.0.0' })).rejects.toThrow(
    'loopback',
  );
});
