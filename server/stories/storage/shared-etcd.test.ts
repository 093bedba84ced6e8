import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { things } from '../../custom-resources/definition/definition.fixture.ts';
import { encodeProtobuf } from '../../schema/protobuf/protobuf.ts';
import type { RunningServer } from '../../start.ts';
import { withoutEtcd } from '../../store/etcd/etcd-process.fixture.ts';
import { rangeOf } from '../../store/etcd/ranges.ts';
import { type Body, namesOf, sharedEtcd, until } from './shared-etcd.fixture.ts';

const shared = sharedEtcd();
const { started, call, put, valueAt, namespaceOf } = shared;
const agent = new Agent({ connect: { rejectUnauthorized: false } });
afterAll(() => agent.close());

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
  });

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
    const { kvs = [] } = await shared.client.range(rangeOf('/peers/masterleases/'));
    expect(kvs.filter(({ lease }) => lease)).toHaveLength(2);
    await d.stop();
    expect((await named()).sort()).toEqual([ports[0], 'theirs'].sort());
    expect((await shared.client.range(rangeOf('/peers/masterleases/'))).kvs).toHaveLength(2);
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
