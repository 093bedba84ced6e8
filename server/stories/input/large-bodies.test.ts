import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { things } from '../../custom-resources/definition/definition.fixture.ts';
import { longestTurn, watchStandstill } from '../standstill.fixture.ts';
import { configMap, configMaps, startTestServer, type TestServer } from '../test-server.fixture.ts';

const MiB = 1024 * 1024;

let server: TestServer;
const standstill = watchStandstill();
beforeAll(async () => {
  server = await startTestServer();
  await server.post(configMaps, configMap('warm'));
  await server.post(`${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  await server.post(`${namespace}/pods`, pod({ containers: [{ name: 'a', image: 'b' }] }, 'warm'));
});
afterAll(() => server.stop());

const namespace = '/api/v1/namespaces/default';
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const pod = (spec: object, name = 'p') => JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata: { name }, spec });

const broken = (count: number) => ({ 'x-kubernetes-validations': times(count, (n) => ({ rule: `self.a${n} +` })) });
const plainContainers = (count: number) => times(count, (n) => ({ name: `${n}`, image: 'i' }));

/** A message of protobuf around so many empty entries of a pod's list of containers. */
function emptyContainers(count: number): Buffer {
  const varint = (number: number): number[] =>
    number > 127 ? [(number & 127) | 128, ...varint(number >>> 7)] : [number];
  const spec = Buffer.alloc(2 * count, Buffer.from([0x12, 0]));
  const object = Buffer.concat([Buffer.from([0x0a, 3, 0x0a, 1, 0x70, 0x12, ...varint(spec.length)]), spec]);
  const type = Buffer.from('\x0a\x02v1\x12\x03Pod', 'latin1');
  return Buffer.concat([
    Buffer.from([0x6b, 0x38, 0x73, 0, 0x0a, type.length]),
    type,
    Buffer.from([0x12, ...varint(object.length)]),
    object,
  ]);
}

const protobuf = 'application/vnd.kubernetes.protobuf';
const tooLarge = /^(?:etcdserver: request is too large|rpc error: .*larger than max \(\d+ vs\. 2097152\))$/;

describe('a body of 3 MB holds nobody up', () => {
  it.each<[what: string, path: string, make: () => string | Buffer, code: number, type?: string]>([
    [
      'an integer of millions of digits',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      () => `{"spec":{"resourceAttributes":{"verb":${'1'.repeat(3_000_000)}}}}`,
      400,
    ],
    [
      '60,000 faulty containers',
      `${namespace}/pods`,
      () => pod({ containers: times(60_000, (n) => ({ name: `A${n}`, image: '' })) }),
      422,
    ],
    ['100,000 containers', `${namespace}/pods`, () => pod({ containers: plainContainers(100_000) }), 500],
    [
      '30,000 volumes with mounts',
      `${namespace}/pods`,
      () =>
        pod({
          containers: [
            { name: 'c', image: 'i', volumeMounts: times(30_000, (n) => ({ name: `v${n}`, mountPath: `/m${n}` })) },
          ],
          volumes: times(30_000, (n) => ({ name: `v${n}`, emptyDir: {} })),
        }),
      500,
    ],
    [
      '370,000 times the same key',
      configMaps,
      () => `{"metadata":{"name":"keys"},"data":{${'"a":"",'.repeat(370_000)}"a":""}}`,
      413,
    ],
    ['600,000 fractions', configMaps, () => `{"metadata":{"name":"f"},"x":[${'1.0,'.repeat(600_000)}1]}`, 413],
    ['a million objects', `${namespace}/pods`, () => `{"spec":{"containers":[${'{},'.repeat(999_999)}{}]}}`, 413],
    ['900,000 empty entries in protobuf', `${namespace}/pods`, () => emptyContainers(900_000), 400, protobuf],
    [
      '90,000 entries, each of which is warned of',
      `${namespace}/pods?dryRun=All`,
      () => pod({ containers: plainContainers(1), imagePullSecrets: times(90_000, () => ({})) }),
      201,
    ],
    [
      '50,000 service ports',
      `${namespace}/services`,
      () =>
        JSON.stringify({
          metadata: { name: 's' },
          spec: { ports: times(50_000, (n) => ({ name: `p${n}`, port: n + 1 })) },
        }),
      500,
    ],
    [
      '100,000 finalizers',
      configMaps,
      () => JSON.stringify({ metadata: { name: 'f', finalizers: times(100_000, (n) => `a.b/c${n}`) } }),
      500,
    ],
    [
      '900,000 finalizers without a name',
      configMaps,
      () => `{"metadata":{"name":"f","finalizers":[${'"",'.repeat(899_999)}""]}}`,
      422,
    ],
    [
      '60,000 rules that do not compile',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      () => JSON.stringify(things({ schema: { openAPIV3Schema: { type: 'object', ...broken(60_000) } } })),
      422,
    ],
  ])('%s', async (_, path, make, code, type) => {
    const body = make();
    expect(body.length).toBeLessThan(3 * MiB + 1);
    await new Promise((resolve) => setImmediate(resolve));
    standstill.take();
    const answer = await server.post(path, body, type);
    expect(standstill.take()).toBeLessThan(longestTurn);
    expect(answer.status, answer.text.slice(0, 300)).toBe(code);
    if (code === 500) expect(answer.body.message).toMatch(tooLarge);
    expect(answer.text.length).toBeLessThan(MiB);
  });
});

describe('a patch of 3 MB of what is long already holds nobody up', () => {
  const finalizer = (kind: string) => (n: number) => `${kind}.b/c${n}`;
  const path = `${configMaps}/long`;
  beforeAll(async () => {
    const { status } = await server.post(configMaps, {
      metadata: { name: 'long', finalizers: times(20_000, finalizer('a')) },
    });
    expect(status).toBe(201);
  });
  const added = times(200_000, finalizer('b'));
  const half = added.slice(0, 100_000);
  it.each<[what: string, type: string, patch: unknown]>([
    ['a set', 'application/strategic-merge-patch+json', { metadata: { finalizers: added } }],
    [
      'a set with its order',
      'application/strategic-merge-patch+json',
      { metadata: { finalizers: half, '$setElementOrder/finalizers': half } },
    ],
    [
      '10,000 operations',
      'application/json-patch+json',
      times(10_000, (n) => ({ op: 'add', path: `/metadata/finalizers/${n}`, value: `${'b'.repeat(50)}.b/c${n}` })),
    ],
  ])('%s', async (_, type, patch) => {
    const body = JSON.stringify(patch);
    await new Promise((resolve) => setImmediate(resolve));
    standstill.take();
    const { status } = await server.patch(`${path}?dryRun=All`, body, type);
    expect(standstill.take()).toBeLessThan(longestTurn);
    expect(status).toBe(200);
  });
});

it.each(['strategic-merge-patch', 'merge-patch'])('a %s that adds 100,000 containers holds nobody up', async (type) => {
  const body = JSON.stringify({ spec: { containers: plainContainers(100_000) } });
  await new Promise((resolve) => setImmediate(resolve));
  standstill.take();
  const { status, text } = await server.patch(`${namespace}/pods/warm`, body, `application/${type}+json`);
  expect(standstill.take()).toBeLessThan(longestTurn);
  expect([status, text]).toEqual([422, expect.stringContaining('pod updates may not add or remove containers')]);
});

it('an object of very many fields holds nobody up when it is shown as YAML', async () => {
  const data = Object.fromEntries(times(25_000, (n) => [`key-${n}`, `some text ${n}`]));
  const { status } = await server.post(configMaps, { metadata: { name: 'fields' }, data });
  expect(status).toBe(201);
  for (const [path, begins] of [
    [`${configMaps}/fields`, 'apiVersion: v1\ndata:\n  key-0: some text 0\n'],
    [`${configMaps}?fieldSelector=metadata.name=fields`, 'apiVersion: v1\nitems:\n- data:\n    key-0: some text 0\n'],
  ] as const) {
    standstill.take();
    const { text } = await server.get(path, { accept: 'application/yaml' });
    expect(standstill.take()).toBeLessThan(longestTurn);
    expect(text.slice(0, begins.length)).toBe(begins);
  }
});

describe('an object', () => {
  it('is stored up to 1.5 MiB, and refused above as etcd would refuse it', async () => {
    const configuration = (name: string, bytes: number) => ({
      metadata: { name },
      webhooks: times(16, (n) => ({
        name: `w${n}.example.com`,
        clientConfig: { url: 'https://a.example', caBundle: '' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        namespaceSelector: {
          matchExpressions: [
            { key: 'k', operator: 'NotIn', values: times(bytes / 16 / 60, (i) => `${n}-${i}`.padEnd(58, 'x')) },
          ],
        },
        rules: [{ apiGroups: ['none'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['none'] }],
      })),
    });
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    expect((await server.post(path, configuration('fits', 1.4 * MiB))).status).toBe(201);
    const refused = await server.post(path, configuration('large', 1.6 * MiB));
    expect([refused.status, refused.body]).toEqual([
      500,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'etcdserver: request is too large',
        code: 500,
      },
    ]);
    expect((await server.post(`${path}?dryRun=All`, configuration('large', 1.6 * MiB))).status).toBe(201);
    expect((await server.get(`${path}/large`)).status).toBe(404);
    expect((await server.post(path, configuration('vast', 2.5 * MiB))).body.message).toMatch(/larger than max/);
  });

  it('does not become larger than any other by its defaults', async () => {
    const filled = { type: 'object', properties: { filled: { type: 'string', default: 'x'.repeat(100_000) } } };
    const schema = { type: 'object', properties: { list: { type: 'array', items: filled } } };
    const kind = { apiVersion: 'example.com/v1', kind: 'Growing' };
    await server.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'growings.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'growings', kind: kind.kind },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    });
    const path = '/apis/example.com/v1/namespaces/default/growings';
    await expect.poll(() => server.get(path)).toMatchObject({ status: 200 });
    const growing = (count: number) => ({ ...kind, metadata: { name: `g${count}` }, list: times(count, () => ({})) });
    expect((await server.post(path, growing(3))).status).toBe(201);
    for (const count of [20, 50, 20_000]) {
      standstill.take();
      const { status, body } = await server.post(path, growing(count));
      expect([status, body.message]).toEqual([500, expect.stringMatching(tooLarge)]);
      expect(standstill.take()).toBeLessThan(longestTurn);
    }
  });

  it('is not read with more defaults than any object could hold, and what else there is is served', async () => {
    const list = (items: object) => ({ type: 'object', properties: { list: { type: 'array', items } } });
    const definition = (schema: object) => ({
      metadata: { name: 'swellings.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'swellings', kind: 'Swelling' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    });
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const path = '/apis/example.com/v1/namespaces/default/swellings';
    const change = (items: object) =>
      server.patch(`${definitions}/swellings.example.com`, definition(list(items)), 'application/merge-patch+json');
    await server.post(definitions, definition(list({ type: 'object' })));
    await expect.poll(() => server.get(path)).toMatchObject({ status: 200 });
    const kind = { apiVersion: 'example.com/v1', kind: 'Swelling' };
    const made = await server.post(path, { ...kind, metadata: { name: 's' }, list: times(20_000, () => ({})) });
    expect(made.status).toBe(201);

    await change({ type: 'object', properties: { filled: { type: 'string', default: 'x'.repeat(100_000) } } });
    await expect.poll(async () => (await server.get(`${path}/s`)).status).toBe(500);
    standstill.take();
    expect((await server.get(`${path}/s`)).body.message).toMatch(tooLarge);
    expect((await server.get(path)).status).toBe(500);
    const watch = await server.get(`${path}?watch=1&timeoutSeconds=1`);
    expect(watch.text.length).toBeLessThan(MiB);
    expect((await server.get(configMaps)).status).toBe(200);
    expect(standstill.take()).toBeLessThan(longestTurn);

    await change({ type: 'object', properties: { filled: { type: 'string', default: null } } });
    await expect.poll(async () => (await server.get(`${path}/s`)).status).toBe(200);
  });

  it('does not become larger by what aliases say again and again', async () => {
    const text = 'x'.repeat(60_000);
    const aliases = times(20_000, (n) => `  k${n}: *a\n`).join('');
    const yaml = `metadata:\n  name: bomb\ndata:\n  a: &a ${text}\n${aliases}`;
    standstill.take();
    const answer = await server.post(configMaps, yaml, 'application/yaml');
    expect(standstill.take()).toBeLessThan(2 * longestTurn);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text.length).toBeLessThan(MiB);
  });
});
