import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause, systemTimers } from '../../base/time/timers.ts';
import { things } from '../../custom-resources/definition/definition.fixture.ts';
import { encodeProtobuf } from '../../schema/protobuf/protobuf.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../start.ts';
import { EtcdClient } from '../../store/etcd/etcd-client.ts';
import { EtcdProcess, withoutEtcd } from '../../store/etcd/etcd-process.fixture.ts';
import { rangeOf } from '../../store/etcd/ranges.ts';
import { decodeValue } from '../../store/etcd/value-format.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every kind
type Body = any;

let etcd: EtcdProcess;
let client: EtcdClient;
let folder = '';
let agent: Agent;
const servers: RunningServer[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-etcd-server-'));
  agent = new Agent({ connect: { rejectUnauthorized: false } });
  if (withoutEtcd) return;
  etcd = await EtcdProcess.start();
  client = new EtcdClient({ servers: [etcd.url], timers: systemTimers, now: () => performance.now() });
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await agent.close();
  client?.close();
  await etcd?.stop();
  rmSync(folder, { recursive: true });
});

async function started(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const server = await startServer({ etcdServers: [etcd.url], ...options });
  servers.push(server);
  return server;
}

async function call(server: RunningServer, method: string, path: string, body?: object, token = server.adminToken) {
  const answer = await request(server.url + path, {
    dispatcher: agent,
    method: method as 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, text, body: jsonOf(text) };
}

function jsonOf(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Milliseconds until the server answers like this. */
async function until(holds: () => Promise<boolean>, limit = 5000): Promise<number> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > limit) throw new Error(`not within ${limit} ms`);
    await pause(systemTimers, 10);
  }
  return performance.now() - begun;
}

const put = (key: string, value: Buffer) =>
  client.txn({ compare: [], success: [{ put: { key: Buffer.from(key), value } }], failure: [] });
const valueAt = async (key: string) => (await client.range({ key: Buffer.from(key) })).kvs?.[0]?.value;
const namespaceOf = async (server: RunningServer, name: string) => {
  expect((await call(server, 'POST', '/api/v1/namespaces', { metadata: { name } })).status).toBe(201);
  return `/api/v1/namespaces/${name}`;
};
const namesOf = (body: Body): string[] => body.items.map((item: Body) => item.metadata.name);

describe.skipIf(withoutEtcd)('servers that share an etcd', () => {
  let a: RunningServer;
  let b: RunningServer;
  beforeAll(async () => {
    [a, b] = [await started(), await started()];
  });

  it('are one service: what one writes the other shows at once, under the same version', async () => {
    const base = await namespaceOf(a, 'one');
    for (let n = 0; n < 20; n++) {
      const [writer, reader] = n % 2 ? [a, b] : [b, a];
      const { body } = await call(writer, 'POST', `${base}/configmaps`, { metadata: { name: `n${n}` } });
      expect((await call(reader, 'GET', `${base}/configmaps/n${n}`)).body).toEqual(body);
      expect(namesOf((await call(reader, 'GET', `${base}/configmaps`)).body)).toHaveLength(n + 1);
    }
    const page = await call(a, 'GET', `${base}/configmaps?limit=7`);
    await call(a, 'DELETE', `${base}/configmaps/n0`);
    const rest = await call(b, 'GET', `${base}/configmaps?limit=500&continue=${page.body.metadata.continue}`);
    expect([...namesOf(page.body), ...namesOf(rest.body)]).toHaveLength(20);
    expect(rest.body.metadata.resourceVersion).toBe(page.body.metadata.resourceVersion);
  });

  it('tell a watch that is open of all that comes then', async () => {
    const base = await namespaceOf(a, 'open');
    for (let n = 0; n < 20; n++) {
      const { body } = await call(a, 'POST', `${base}/configmaps`, { metadata: { name: `n${n}` } });
      // Nobody who deletes it is late for want of a connection.
      await Promise.all([1, 2].map(() => call(a, 'GET', base)));
      const watch = await request(`${a.url}${base}/configmaps?watch=1&fieldSelector=metadata.name=n${n}`, {
        dispatcher: agent,
        headers: { authorization: `Bearer ${a.adminToken}` },
      });
      await call(a, 'DELETE', `${base}/configmaps/${body.metadata.name}`);
      let told = '';
      for await (const chunk of watch.body) {
        told += chunk;
        if (told.includes('DELETED')) break;
      }
      expect(told).toContain('ADDED');
    }
  }, 10_000);

  it('refuse what was decided on an old version, whoever wrote the newer one', async () => {
    const base = await namespaceOf(a, 'stale');
    const { body } = await call(a, 'POST', `${base}/configmaps`, { metadata: { name: 'x' } });
    const written = await call(b, 'PUT', `${base}/configmaps/x`, { ...body, data: { by: 'b' } });
    expect(written.status).toBe(200);
    expect((await call(a, 'PUT', `${base}/configmaps/x`, { ...body, data: { by: 'a' } })).status).toBe(409);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        call(n % 2 ? a : b, 'PATCH', `${base}/configmaps/x`, { data: { [`k${n}`]: 'v' } }).then(({ status }) =>
          expect(status).toBe(200),
        ),
      ),
    );
    expect(Object.keys((await call(a, 'GET', `${base}/configmaps/x`)).body.data)).toHaveLength(21);
  });

  it('know the administrator and the accounts of each other, and who may do what within a second', async () => {
    expect(b.adminToken).toBe(a.adminToken);
    const base = await namespaceOf(a, 'robots');
    await call(a, 'POST', `${base}/serviceaccounts`, { metadata: { name: 'r' } });
    const { body } = await call(a, 'POST', `${base}/serviceaccounts/r/token`, { spec: {} });
    const list = () => call(b, 'GET', `${base}/configmaps`, undefined, body.status.token);
    expect((await list()).status).toBe(403);
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
    await call(a, 'POST', `${rbac}/namespaces/robots/roles`, { metadata: { name: 'r' }, rules });
    await call(a, 'POST', `${rbac}/namespaces/robots/rolebindings`, {
      metadata: { name: 'r' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'ServiceAccount', name: 'r', namespace: 'robots' }],
    });
    expect(await until(async () => (await list()).status === 200)).toBeLessThan(1000);
  });

  it('serve the custom resources of each other within a second', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    await call(a, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', things({ schema }));
    const path = '/apis/example.com/v1/namespaces/default/things';
    expect(await until(async () => (await call(b, 'GET', path)).status === 200)).toBeLessThan(1000);
    const made = await call(b, 'POST', path, {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 't' },
      spec: { deep: [1] },
    });
    expect(made.status).toBe(201);
    expect((await call(a, 'GET', `${path}/t`)).body).toEqual(made.body);
    expect(JSON.parse(String(await valueAt('/registry/example.com/things/default/t'))).spec).toEqual({ deep: [1] });
  });

  it('never give one address or node port twice, and give it again when it is free', async () => {
    const [c, d] = [
      await started({ serviceClusterIpRange: '10.9.0.0/27' }),
      await started({ serviceClusterIpRange: '10.9.0.0/27' }),
    ];
    const base = await namespaceOf(c, 'services');
    const spec = { type: 'NodePort', ports: [{ port: 80 }] };
    const make = (server: RunningServer, name: string) =>
      call(server, 'POST', `${base}/services`, { metadata: { name }, spec });
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => make(n % 2 ? c : d, `s${n}`)));
      // What both had picked goes to one of them; whoever found the range full meanwhile asks again.
      for (let n = 40; n < 80; n++) answers.push(await make(n % 2 ? c : d, `s${n}`));
      const made = answers.filter(({ status }) => status === 201).map(({ body }) => body);
      expect(new Set(made.map(({ spec }) => spec.clusterIP)).size).toBe(30);
      expect(new Set(made.map(({ spec }) => spec.ports[0].nodePort)).size).toBe(30);
      expect(made).toHaveLength(30);
      for (const { status, body } of answers) if (status !== 201) expect(body.message).toContain('range is full');
      await Promise.all(
        made.map(({ metadata }, n) => call(n % 2 ? c : d, 'DELETE', `${base}/services/${metadata.name}`)),
      );
    }
    const { kvs = [] } = await client.range(rangeOf('/registry/touchstone/claims/'));
    const ours = kvs.filter(({ value }) => value.toString().startsWith('/services/services/'));
    expect(ours.map(({ key }) => key.toString())).toEqual([]);
  });

  it('give a Service more node ports than etcd compares at once, and none to another one', async () => {
    const options = { serviceNodePortRange: '31000-31899', etcdPrefix: '/many-ports' };
    const [c, d] = [await started(options), await started(options)];
    const base = '/api/v1/namespaces/default/services';
    const claims = async () =>
      ((await client.range(rangeOf('/many-ports/touchstone/claims/ports/'))).kvs ?? []).map(({ key }) => String(key));
    const ports = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `p${n}`, port: 1 + n }));
    const make = (server: RunningServer, name: string, count: number) =>
      call(server, 'POST', base, { metadata: { name }, spec: { type: 'NodePort', ports: ports(count) } });
    const numbers = (answer: { body: Body }) => answer.body.spec.ports.map(({ nodePort }: Body) => nodePort);
    const made = await Promise.all([make(c, 'c', 300), make(d, 'd', 300), make(c, 'few', 1), make(d, 'one', 1)]);
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(made.flatMap(numbers)).size).toBe(602);
    expect(await claims()).toHaveLength(602);
    const [held] = numbers(made[0]);
    const spec = { type: 'NodePort', ports: [{ port: 1, nodePort: held }] };
    expect((await call(d, 'POST', base, { metadata: { name: 'late' }, spec })).status).toBe(422);
    const grown = await call(d, 'PATCH', `${base}/c`, { spec: { ports: ports(450) } });
    expect([grown.status, new Set([grown, ...made.slice(1)].flatMap(numbers)).size]).toEqual([200, 752]);
    const others = Array.from({ length: 900 }, (_, n) => ({ name: `p${n}`, port: 1 + n, nodePort: 31_000 + n }));
    const free = others.filter(({ nodePort }) => ![grown, ...made.slice(1)].flatMap(numbers).includes(nodePort));
    const moved = await call(c, 'PATCH', `${base}/d`, { spec: { ports: free.slice(0, 80) } });
    expect([moved.status, numbers(moved)]).toEqual([200, free.slice(0, 80).map(({ nodePort }) => nodePort)]);
    expect((await call(c, 'PATCH', `${base}/d`, { spec: { type: 'ClusterIP' } })).status).toBe(200);
    for (const name of ['c', 'd', 'few', 'one']) expect((await call(d, 'DELETE', `${base}/${name}`)).status).toBe(200);
    expect(await claims()).toEqual([]);
  });

  it('take an address that is claimed for a Service which is gone', async () => {
    await put('/registry/touchstone/claims/addresses/10.0.0.77', Buffer.from('/services/default/gone'));
    const made = await call(a, 'POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'wants' },
      spec: { clusterIP: '10.0.0.77', ports: [{ port: 80 }] },
    });
    expect(made.status).toBe(201);
    expect(String(await valueAt('/registry/touchstone/claims/addresses/10.0.0.77'))).toBe('/services/default/wants');
  });

  it('note addresses and ports in the records that another server keeps of them, and give none that is noted', async () => {
    const options = { serviceClusterIpRange: '10.8.0.0/28', etcdPrefix: '/noted' };
    const record = { kind: 'RangeAllocation', apiVersion: 'v1', metadata: { creationTimestamp: null } };
    const noted = async (name: string) =>
      decodeValue((await valueAt(`/noted/ranges/${name}`)) ?? Buffer.alloc(0))['data'];
    const [c, d] = [await started(options), await started(options)];
    // All but the third and the fifth are somebody else's.
    const others = Buffer.from([0x3f, 0xeb]).toString('base64');
    const addresses = { ...record, range: '10.8.0.0/28', data: others };
    await put('/noted/ranges/serviceips', Buffer.from(JSON.stringify(addresses)));
    await put('/noted/ranges/servicenodeports', encodeProtobuf({ ...record, range: '30000-32767', data: '' }));
    const base = '/api/v1/namespaces/default/services';
    const make = (server: RunningServer, name: string, spec: object) =>
      call(server, 'POST', base, { metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec } });
    const mine = { clusterIP: '10.8.0.3', ports: [{ port: 80, nodePort: 30000 }] };
    expect((await make(c, 'mine', mine)).status).toBe(201);
    expect(await noted('serviceips')).toBe(Buffer.from([0x3f, 0xef]).toString('base64'));
    expect(await noted('servicenodeports')).toBe(Buffer.from([1]).toString('base64'));
    expect((await make(d, 'theirs', { clusterIP: '10.8.0.4' })).status).not.toBe(201);
    await call(d, 'DELETE', `${base}/mine`);
    expect([await noted('serviceips'), await noted('servicenodeports')]).toEqual([others, '']);
  });

  it('have the Service kubernetes also where a record says that its address is given, and there is none', async () => {
    const record = { kind: 'RangeAllocation', apiVersion: 'v1', metadata: {}, range: '10.0.0.0/24', data: 'AQ==' };
    await put('/left/ranges/serviceips', Buffer.from(JSON.stringify(record)));
    const both = await Promise.all([started({ etcdPrefix: '/left' }), started({ etcdPrefix: '/left' })]);
    for (const each of both) {
      const { status, body } = await call(each, 'GET', '/api/v1/namespaces/default/services/kubernetes');
      expect([status, body.spec.clusterIP]).toEqual([200, '10.0.0.1']);
    }
    expect(decodeValue((await valueAt('/left/ranges/serviceips')) ?? Buffer.alloc(0))['data']).toBe('AQ==');
  });

  it('are all named behind the Service kubernetes, a v1.25 server too, and who ends in good order no more', async () => {
    const options = { etcdPrefix: '/peers', storageMediaType: 'application/vnd.kubernetes.protobuf' } as const;
    const theirs = {
      kind: 'Endpoints',
      apiVersion: 'v1',
      metadata: {},
      subsets: [{ addresses: [{ ip: '192.0.2.77' }] }],
    };
    await put('/peers/masterleases/192.0.2.77', encodeProtobuf(theirs));
    const [c, d] = [await started(options), await started(options)];
    const named = async () =>
      (await call(c, 'GET', '/api/v1/namespaces/default/endpoints/kubernetes')).body.subsets.flatMap((subset: Body) =>
        subset.addresses.map(({ ip }: Body) => (ip === '192.0.2.77' ? 'theirs' : String(subset.ports[0].port))),
      );
    const ports = [c, d].map(({ url }) => new URL(url).port);
    expect((await named()).sort()).toEqual([...ports, 'theirs'].sort());
    const { kvs = [] } = await client.range(rangeOf('/peers/masterleases/'));
    expect(kvs.filter(({ lease }) => lease)).toHaveLength(2);
    await d.stop();
    expect((await named()).sort()).toEqual([ports[0], 'theirs'].sort());
    expect((await client.range(rangeOf('/peers/masterleases/'))).kvs).toHaveLength(2);
  });

  it('keep one quota together', async () => {
    const base = await namespaceOf(a, 'quota');
    await call(a, 'POST', `${base}/resourcequotas`, {
      metadata: { name: 'q' },
      spec: { hard: { 'count/secrets': '9' } },
    });
    const counted = async (server: RunningServer) =>
      (await call(server, 'GET', `${base}/resourcequotas/q`)).status === 200;
    await until(async () => (await counted(a)) && (await counted(b)));
    await call(a, 'PATCH', `${base}/resourcequotas/q/status`, {
      status: { hard: { 'count/secrets': '9' }, used: { 'count/secrets': '0' } },
    });
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        call(n % 2 ? a : b, 'POST', `${base}/secrets`, { metadata: { name: `s${n}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(9);
    expect(namesOf((await call(b, 'GET', `${base}/secrets`)).body)).toHaveLength(9);
  });
});

describe.skipIf(withoutEtcd)('what is in etcd', () => {
  it('lets watches and lists go on at another server from before it began', async () => {
    const first = await started();
    const base = await namespaceOf(first, 'resume');
    const { body } = await call(first, 'POST', `${base}/configmaps`, { metadata: { name: 'a' } });
    const version = body.metadata.resourceVersion;
    await call(first, 'PATCH', `${base}/configmaps/a`, { data: { k: 'v' } });
    await call(first, 'DELETE', `${base}/configmaps/a`);
    await first.stop();
    const second = await started();
    const watch = await call(second, 'GET', `${base}/configmaps?watch=1&resourceVersion=${version}&timeoutSeconds=1`);
    const events = watch.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ type, object }: Body) => [type, object.metadata.name, object.data])).toEqual([
      ['MODIFIED', 'a', { k: 'v' }],
      ['DELETED', 'a', { k: 'v' }],
    ]);
    const exact = await call(second, 'GET', `${base}/configmaps?resourceVersion=${version}&resourceVersionMatch=Exact`);
    expect(namesOf(exact.body)).toEqual(['a']);
  });

  it('is not told of when its version before was compacted away, but said to be gone', async () => {
    const first = await started();
    const base = await namespaceOf(first, 'compacted');
    const { body } = await call(first, 'POST', `${base}/configmaps`, { metadata: { name: 'a' } });
    await call(first, 'DELETE', `${base}/configmaps/a`);
    const { header } = await client.range({ key: Buffer.from('x') });
    await first.stop();
    await client.compact(header?.revision ?? 0);
    const second = await started();
    const version = body.metadata.resourceVersion;
    const { text } = await call(
      second,
      'GET',
      `${base}/configmaps?watch=1&resourceVersion=${version}&timeoutSeconds=1`,
    );
    expect(JSON.parse(text)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  });

  it('is left out of lists of every revision where it cannot be read', async () => {
    const first = await started();
    const base = await namespaceOf(first, 'unreadable');
    await call(first, 'POST', `${base}/configmaps`, { metadata: { name: 'a' } });
    const key = '/registry/configmaps/unreadable/broken';
    const version = (await put(key, Buffer.from('{"kind":'))).header?.revision;
    await put(key, Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"broken"}}'));
    const second = await started();
    for (const server of [first, second]) {
      const { body } = await call(
        server,
        'GET',
        `${base}/configmaps?resourceVersion=${version}&resourceVersionMatch=Exact`,
      );
      expect(namesOf(body)).toEqual(['a']);
    }
  });

  it('is read and written as protobuf, and in another version than the one that is stored', async () => {
    const server = await started({ storageMediaType: 'application/vnd.kubernetes.protobuf' });
    const base = await namespaceOf(server, 'proto');
    await call(server, 'POST', `${base}/configmaps`, { metadata: { name: 'mine' }, data: { k: 'v' } });
    expect((await valueAt('/registry/configmaps/proto/mine'))?.subarray(0, 4).toString('latin1')).toBe('k8s\0');
    const theirs = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'theirs', namespace: 'proto', uid: 'u' },
      data: { a: 'b' },
    };
    await put('/registry/configmaps/proto/theirs', encodeProtobuf(theirs));
    await put(
      '/registry/configmaps/proto/json',
      Buffer.from(`${JSON.stringify({ ...theirs, metadata: { ...theirs.metadata, name: 'json' } })}\n`),
    );
    const autoscaler = {
      kind: 'HorizontalPodAutoscaler',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'h', namespace: 'proto', uid: 'u' },
      spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' }, targetCPUUtilizationPercentage: 50 },
      status: { currentReplicas: 0, desiredReplicas: 0 },
    };
    await put('/registry/horizontalpodautoscalers/proto/h', encodeProtobuf(autoscaler));
    const other = await started();
    for (const reader of [server, other]) {
      const { body } = await call(reader, 'GET', `${base}/configmaps`);
      expect(namesOf(body)).toEqual(['json', 'mine', 'theirs']);
      expect(body.items.map(({ data }: Body) => data)).toEqual([{ a: 'b' }, { k: 'v' }, { a: 'b' }]);
      const { spec } = (await call(reader, 'GET', '/apis/autoscaling/v2/namespaces/proto/horizontalpodautoscalers/h'))
        .body;
      expect(spec.metrics[0].resource.target.averageUtilization).toBe(50);
    }
    expect((await call(other, 'PATCH', `${base}/configmaps/theirs`, { data: { c: 'd' } })).body.data).toEqual({
      a: 'b',
      c: 'd',
    });
  });

  it('goes with its lease, if it is an Event', async () => {
    const server = await started({ eventTtl: 1000 });
    const event = { metadata: { name: 'e' }, involvedObject: { namespace: 'default' }, reason: 'r', type: 'Normal' };
    expect((await call(server, 'POST', '/api/v1/namespaces/default/events', event)).status).toBe(201);
    const { kvs } = await client.range({ key: Buffer.from('/registry/events/default/e') });
    expect(kvs?.[0]?.lease).toBeGreaterThan(0);
  });

  it('is refused when it is encrypted, and left as it is', async () => {
    const value = Buffer.from('k8s:enc:aescbc:v1:key1:xxxx');
    await put('/encrypted/secrets/default/s', value);
    await expect(started({ etcdPrefix: '/encrypted' })).rejects.toThrow(
      '/secrets/default/s is encrypted at rest (aescbc)',
    );
    expect(await valueAt('/encrypted/secrets/default/s')).toEqual(value);
  });

  it('can come from a snapshot, and become one', async () => {
    const file = join(folder, 'snapshot');
    const source = await startServer();
    servers.push(source);
    await call(source, 'POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'moved' },
      data: { k: 'v' },
    });
    await source.saveSnapshot(file);
    const server = await started({ etcdPrefix: '/moved', snapshot: file });
    expect((await call(server, 'GET', '/api/v1/namespaces/default/configmaps/moved')).body.data).toEqual({ k: 'v' });
    await expect(started({ etcdPrefix: '/moved', snapshot: file })).rejects.toThrow('holds objects already');
    await server.saveSnapshot(file);
    const back = await startServer({ snapshot: file });
    servers.push(back);
    expect((await call(back, 'GET', '/api/v1/namespaces/default/configmaps/moved')).body).toEqual(
      (await call(server, 'GET', '/api/v1/namespaces/default/configmaps/moved')).body,
    );
  });

  it('is not served where only a part of a snapshot was written', async () => {
    const snapshot = join(folder, 'too-large');
    const lineOf = (name: string, text: string) => {
      const metadata = { name, namespace: 'default' };
      const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { text } };
      return JSON.stringify({ key: `/configmaps/default/${name}`, revision: 7, object });
    };
    const lines = [lineOf('a', 'x'), lineOf('b', 'x'.repeat(2 ** 21)), '{"end":2}'];
    writeFileSync(snapshot, ['{"touchstone":"snapshot","version":1,"revision":7}', ...lines].join('\n'));
    await expect(started({ etcdPrefix: '/part', snapshot })).rejects.toThrow('larger than max');
    for (const again of [{}, { snapshot }])
      await expect(started({ etcdPrefix: '/part', ...again })).rejects.toThrow(
        'only a part of a snapshot: if nobody writes it any more, remove all below /part',
      );
  });
});

describe.skipIf(withoutEtcd)('an etcd that says nothing', () => {
  it('keeps nobody waiting whom any state will do', async () => {
    const tokenAuthFile = join(folder, 'tokens.csv');
    writeFileSync(tokenAuthFile, 'bobtoken,bob,2\n');
    const server = await started({ tokenAuthFile, authorizationMode: ['AlwaysAllow'] });
    const base = '/api/v1/namespaces/default/configmaps';
    const { body } = await call(server, 'POST', base, { metadata: { name: 'known' } });
    etcd.pause();
    try {
      const begun = performance.now();
      const paths = [base, `${base}/known`, `${base}?watch=1&timeoutSeconds=1`].flatMap((path) =>
        ['0', body.metadata.resourceVersion].map(
          (version) => `${path}${path.includes('?') ? '&' : '?'}resourceVersion=${version}`,
        ),
      );
      const answers = await Promise.all(paths.map((path) => call(server, 'GET', path, undefined, 'bobtoken')));
      expect(answers.map(({ status, text }) => status === 200 && !text.includes('"ERROR"'))).toEqual(
        paths.map(() => true),
      );
      expect(performance.now() - begun).toBeLessThan(4000);
    } finally {
      etcd.resume();
    }
  });

  it('makes the server neither ready nor healthy, and that is said soon', async () => {
    const server = await started({ etcdHealthcheckTimeout: 200, etcdReadycheckTimeout: 100 });
    etcd.pause();
    try {
      const begun = performance.now();
      const [ready, live] = await Promise.all([call(server, 'GET', '/readyz'), call(server, 'GET', '/livez')]);
      expect([ready.status, live.status]).toEqual([500, 500]);
      expect(ready.text).toContain('[-]etcd-readiness failed');
      expect(performance.now() - begun).toBeLessThan(2000);
    } finally {
      etcd.resume();
    }
    await until(async () => (await call(server, 'GET', '/readyz')).status === 200, 15_000);
  });
});

describe('options of etcd', () => {
  it.each([
    [{ etcdServers: ['localhost:2379'] }, 'is no http or https URL'],
    [{ etcdServers: ['http://a:1'], dataDir: '/x' }, 'exclude each other'],
    [{ etcdServers: ['http://a:1'], etcdCertfile: '/dev/null' }, 'need each other'],
    [{ etcdServers: ['http://a:1'], etcdCafile: '/nowhere' }, '--etcd-cafile: there is no /nowhere'],
    [{ storageMediaType: 'text/plain' as 'application/json' }, '--storage-media-type takes'],
  ])('%j are refused', async (options, message) => {
    await expect(startServer(options)).rejects.toThrow(message);
  });
});
