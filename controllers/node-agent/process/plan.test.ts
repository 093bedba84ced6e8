import { describe, expect, test } from 'vitest';
import type { Pod } from '../../runtime/resources.ts';
import { argumentsOf, commandOf, readImages } from './command.ts';
import { environmentOf, expand } from './environment.ts';
import { amountOf, type Container, fieldOf } from './fields.ts';
import { mountsOf, placedIn } from './mounts.ts';
import type { Entries, Sources } from './sources.ts';
import type { State } from './state.ts';
import { statusOf } from './status.ts';

const container = (fields: Partial<Container> = {}): Container => ({ name: 'c', image: 'i', ...fields });
const pod = (spec: object = {}): Pod => ({
  metadata: { name: 'p', namespace: 'n', uid: 'u', labels: { app: 'web' }, annotations: { 'a/b': 'c' } },
  spec: { containers: [container()], nodeName: 'm', serviceAccountName: 's', ...spec },
  status: { podIP: '100.64.0.7', podIPs: [{ ip: '100.64.0.7' }] },
});

test.each([
  ['$(A)', 'one'],
  ['x$(A)y$(B)', 'xoney$(B)'],
  ['$$(A)', '$(A)'],
  ['$$', '$'],
  ['$A', '$A'],
  ['$(A', '$(A'],
  ['$(toString)', '$(toString)'],
])('%s becomes %s', (text, expected) => expect(expand(text, { A: 'one' })).toBe(expected));

test.each([
  ['metadata.name', 'p'],
  ['metadata.namespace', 'n'],
  ["metadata.labels['app']", 'web'],
  ["metadata.annotations['a/b']", 'c'],
  ["metadata.labels['none']", ''],
  ['metadata.labels', 'app="web"'],
  ['spec.nodeName', 'm'],
  ['status.podIP', '100.64.0.7'],
])('the field %s is %j', (fieldPath, expected) => expect(fieldOf(pod(), { fieldPath })).toBe(expected));

test('a field that is none is told', () => {
  expect(() => fieldOf(pod(), { fieldPath: 'spec.volumes' })).toThrow('spec.volumes');
});

test.each([
  ['limits.cpu', undefined, '2'],
  ['limits.cpu', '1m', '1500'],
  ['requests.cpu', '1m', '1500'],
  ['limits.memory', '1Mi', '64'],
])('the resource %s in units of %s is %s', (resource, divisor, expected) => {
  const own = container({ resources: { limits: { cpu: '1500m', memory: '64Mi' } } });
  const reference = { resource, ...(divisor && { divisor }) };
  expect(amountOf(pod({ containers: [own] }), own, reference)).toBe(expected);
});

/** ConfigMaps and Secrets by `kind name`. */
const sources = (known: Readonly<Record<string, Readonly<Record<string, string>>>>): Sources =>
  ({
    async entries(kind: string, name: string, optional = false): Promise<Entries | undefined> {
      const found = known[`${kind} ${name}`];
      if (!found && !optional) throw new Error(`${kind} "${name}" not found`);
      return found && new Map(Object.entries(found).map(([key, text]) => [key, Buffer.from(text)]));
    },
  }) as unknown as Sources;

test('the environment is made of everything that says something of it, in order', async () => {
  const own = container({
    envFrom: [{ configMapRef: { name: 'all' }, prefix: 'P_' }, { secretRef: { name: 'none', optional: true } }],
    env: [
      { name: 'PLAIN', value: 'v' },
      { name: 'BUILT', value: '$(PLAIN)-$(P_KEY)-$(LATER)' },
      { name: 'LATER', value: 'x' },
      { name: 'SECRET', valueFrom: { secretKeyRef: { name: 'sec', key: 'k' } } },
      { name: 'MISSING', valueFrom: { configMapKeyRef: { name: 'all', key: 'no', optional: true } } },
      { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ],
  });
  const known = sources({ 'configmap all': { KEY: 'value' }, 'secret sec': { k: 'hush' } });
  expect(await environmentOf(pod(), own, known)).toEqual({
    P_KEY: 'value',
    PLAIN: 'v',
    BUILT: 'v-value-$(LATER)',
    LATER: 'x',
    SECRET: 'hush',
    NAME: 'p',
  });
});

test.each([
  [{ configMapKeyRef: { name: 'gone', key: 'k' } }, 'configmap "gone" not found'],
  [{ secretKeyRef: { name: 'sec', key: 'no' } }, "couldn't find key no in secret sec"],
])('what is not there is told (%j)', async (valueFrom, message) => {
  const own = container({ env: [{ name: 'A', valueFrom }] });
  await expect(environmentOf(pod(), own, sources({ 'secret sec': {} }))).rejects.toThrow(message);
});

test.each([
  ['node', '/bin/node'],
  ['node:22', '/bin/node'],
  ['docker.io/library/node@sha256:abc', '/bin/node'],
  ['registry:5000/team/tool:v1', '/bin/tool'],
  ['other', undefined],
])('the image %s means %s', (image, expected) => {
  const images = readImages(['node=/bin/node', 'registry:5000/team/tool=/bin/tool']);
  expect(commandOf(image, images)).toBe(expected);
});

test('an image without a command is a mistake', () => {
  expect(() => readImages(['node'])).toThrow('name=command');
});

test.each<[Partial<Container>, readonly string[] | undefined]>([
  [{ image: 'node', args: ['a.js'] }, ['/bin/node', 'a.js']],
  [{ image: 'node', command: ['sh', '-c'], args: ['$(A)'] }, ['sh', '-c', 'one']],
  [{ image: 'other', args: ['x'] }, undefined],
  [
    { image: 'other', command: ['cat', '/etc/cfg/a.txt', '/etc/cfgs', '--x=/etc/cfg'] },
    ['cat', '/real/a.txt', '/etc/cfgs', '--x=/real'],
  ],
])('what is run for %j', (fields, expected) => {
  const mounts = [{ path: '/etc/cfg', real: '/real' }];
  expect(argumentsOf(container(fields), readImages(['node=/bin/node']), { A: 'one' }, mounts)).toEqual(expected);
});

test('the longest mounted path counts, and parts of names are none', () => {
  const volumeMounts = [
    { name: 'a', mountPath: '/data/' },
    { name: 'b', mountPath: '/data/deep', subPath: 'x/../y' },
  ];
  const mounts = mountsOf(container({ volumeMounts }), {}, (name) => `/v/${name}`);
  const text = '/data/one /data/deep/two /other/data /database "/data"';
  expect(placedIn(mounts, text)).toBe('/v/a/one /v/b/y/two /other/data /database "/v/a"');
});

describe('the status', () => {
  const running: State = { type: 'running', startedAt: 0 };
  const waiting: State = { type: 'waiting', reason: 'ContainerCreating' };
  const ended = (exitCode: number): State => ({
    type: 'terminated',
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: 0,
    finishedAt: 0,
  });
  const view = (state: State, more: object = {}) => ({
    container: { name: 'c', image: 'i' },
    state,
    restarts: 0,
    isStarted: state.type === 'running',
    isReady: state.type === 'running',
    ...more,
  });
  const phase = (states: readonly State[], init: readonly State[] = [], spec: object = {}) => {
    const views = { main: states.map((state) => view(state)), init: init.map((state) => view(state)), ephemeral: [] };
    return statusOf(pod(spec), { ...views, startedAt: 0, hostIp: 'h', podIp: 'i' }, 0);
  };

  test.each<[string, State[], State[], object, string, string]>([
    ['waits', [waiting], [], {}, 'Pending', 'False'],
    ['runs', [running, running], [], {}, 'Running', 'True'],
    ['runs in part', [running, waiting], [], {}, 'Running', 'False'],
    ['went well', [ended(0), ended(0)], [], {}, 'Succeeded', 'False'],
    ['failed in part', [ended(0), ended(1)], [], {}, 'Failed', 'False'],
    ['prepares', [waiting], [running], {}, 'Pending', 'False'],
    ['could not prepare', [waiting], [ended(1)], { restartPolicy: 'Never' }, 'Failed', 'False'],
  ])('a pod that %s', (_title, main, init, spec, expected, ready) => {
    const status = phase(main, init, spec);
    expect(status.phase).toBe(expected);
    expect(status.conditions?.find(({ type }) => type === 'Ready')?.status).toBe(ready);
  });

  test.each<[string, State[], number[], string]>([
    ['all that ended', [ended(0), ended(1)], [0, 1], 'Running'],
    ['what failed', [ended(0), ended(1)], [1], 'Running'],
    ['what failed, and nothing did', [ended(0), ended(0)], [1], 'Succeeded'],
  ])('a pod that restarts %s is over when nothing is left to restart', (_title, main, codes, expected) => {
    const views = { main: main.map((state) => view(state)), init: [], ephemeral: [] };
    const restarts = (code: number) => codes.includes(code);
    expect(statusOf(pod(), { ...views, restarts, startedAt: 0, hostIp: 'h', podIp: 'i' }, 0).phase).toBe(expected);
  });

  test('what others wrote into the status stays', () => {
    const gate = { type: 'example.com/open', status: 'False' };
    const gated = { ...pod({ readinessGates: [{ conditionType: gate.type }] }), status: { conditions: [gate] } };
    const views = { main: [view(running)], init: [], ephemeral: [] };
    const status = statusOf(gated, { ...views, startedAt: 0, hostIp: 'h', podIp: 'i' }, 0);
    expect(status.conditions).toContainEqual(gate);
    expect(status.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'False' });
  });
});
