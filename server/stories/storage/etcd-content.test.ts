import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { encodeProtobuf } from '../../schema/protobuf/protobuf.ts';
import { startServer } from '../../start.ts';
import { withoutEtcd } from '../../store/etcd/etcd-process.fixture.ts';
import { type Body, namesOf, sharedEtcd } from './shared-etcd.fixture.ts';

const folder = temporaryFolder();
const shared = sharedEtcd();
const { started, ends, call, put, valueAt, namespaceOf } = shared;

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
    const { header } = await shared.client.range({ key: Buffer.from('x') });
    await first.stop();
    await shared.client.compact(header?.revision ?? 0);
    const second = await started();
    const version = body.metadata.resourceVersion;
    const { text } = await call(
      second,
      'GET',
      `${base}/configmaps?watch=1&resourceVersion=${version}&timeoutSeconds=1`,
    );
    expect(JSON.parse(text)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  });

  it('is in no list of a revision in which it cannot be read, and so there is none', async () => {
    const first = await started();
    const base = await namespaceOf(first, 'unreadable');
    await call(first, 'POST', `${base}/configmaps`, { metadata: { name: 'a' } });
    const key = '/registry/configmaps/unreadable/broken';
    const version = (await put(key, Buffer.from('{"kind":'))).header?.revision;
    await put(key, Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"broken"}}'));
    const second = await started();
    for (const server of [first, second]) {
      const at = (revision: number) =>
        call(server, 'GET', `${base}/configmaps?resourceVersion=${revision}&resourceVersionMatch=Exact`);
      expect((await at(Number(version) - 1)).status).toBe(200);
      expect((await at(Number(version))).status).toBe(500);
      expect(namesOf((await call(server, 'GET', `${base}/configmaps`)).body)).toEqual(['a', 'broken']);
    }
  });

  it('is not said to be gone where it cannot be read, and nothing takes its place until it is', async () => {
    const [first, second] = [await started(), await started()];
    const base = await namespaceOf(first, 'damaged');
    const whole = await call(first, 'POST', `${base}/secrets`, { metadata: { name: 's' } });
    const key = '/registry/secrets/damaged/s';
    const value = (await valueAt(key)) ?? Buffer.alloc(0);
    await put(key, Buffer.from('{"kind":"Secret","apiVersion":"v1","metadata":{"name":"s"},"stringData":{"p":hidden'));
    const message = 'Internal error occurred: /secrets/damaged/s cannot be read: it is no JSON';
    const logged: string[] = [];
    const error = (_: string, cause: unknown) => void logged.push(String(cause));
    const third = await started({ log: { info() {}, debug() {}, error } });
    expect(logged, 'by who begins with it').toEqual([expect.stringContaining('/secrets/damaged/s cannot be read')]);
    for (const server of [first, second, third]) {
      for (const [method, path, body] of [
        ['GET', '/s'],
        ['PUT', '/s', whole.body],
        ['PATCH', '/s', { data: {} }],
        ['DELETE', '/s'],
        ['GET', ''],
        ['GET', '?resourceVersion=0'],
        ['DELETE', ''],
      ] as const) {
        const answer = await call(server, method, `${base}/secrets${path}`, body);
        expect([answer.status, answer.body.message]).toEqual([500, message]);
      }
      const again = await call(server, 'POST', `${base}/secrets`, { metadata: { name: 's' } });
      expect([again.status, again.body.reason]).toEqual([409, 'AlreadyExists']);
      expect((await call(server, 'GET', `${base}/configmaps`)).status, 'of others').toBe(200);
    }
    await put(key, value);
    for (const server of [first, second, third]) {
      const { body } = await call(server, 'GET', `${base}/secrets/s`);
      expect(body.metadata.uid).toBe(whole.body.metadata.uid);
      expect(namesOf((await call(server, 'GET', `${base}/secrets`)).body)).toEqual(['s']);
      const since = `resourceVersion=${whole.body.metadata.resourceVersion}`;
      const watch = await call(server, 'GET', `${base}/secrets?watch=1&${since}&timeoutSeconds=1`);
      // Who began with it does not know what was there before.
      const told = server === third ? /^{"type":"ADDED"[^\n]*\n$/ : /^{"type":"MODIFIED"[^\n]*\n$/;
      expect(watch.text, 'what watches are told of').toMatch(told);
    }
    await put(key, Buffer.from('{'));
    await shared.client.txn({ compare: [], success: [{ remove: { key: Buffer.from(key) } }], failure: [] });
    expect((await call(first, 'GET', `${base}/secrets/s`)).status).toBe(404);
    expect((await call(second, 'POST', `${base}/secrets`, { metadata: { name: 's' } })).status).toBe(201);
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
    const { kvs } = await shared.client.range({ key: Buffer.from('/registry/events/default/e') });
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

  it('is no empty place for a snapshot where nothing of it can be read', async () => {
    await put('/unread/secrets/default/s', Buffer.from('{'));
    const snapshot = join(folder, 'for-the-unread');
    await ends(await startServer()).saveSnapshot(snapshot);
    await expect(started({ etcdPrefix: '/unread', snapshot })).rejects.toThrow('/secrets/default/s cannot be read');
  });

  it.each(['services/specs/default/s', 'namespaces/n'])(
    'is said of %s, which servers go by, in place of a start',
    async (key) => {
      const etcdPrefix = `/followed/${key}`;
      await put(`${etcdPrefix}/${key}`, Buffer.from('{'));
      await expect(started({ etcdPrefix })).rejects.toThrow('cannot be read: it is no JSON');
    },
  );

  it('can come from a snapshot, and become one', async () => {
    const file = join(folder, 'snapshot');
    const source = ends(await startServer());
    await call(source, 'POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'moved' },
      data: { k: 'v' },
    });
    await source.saveSnapshot(file);
    const server = await started({ etcdPrefix: '/moved', snapshot: file });
    expect((await call(server, 'GET', '/api/v1/namespaces/default/configmaps/moved')).body.data).toEqual({ k: 'v' });
    await expect(started({ etcdPrefix: '/moved', snapshot: file })).rejects.toThrow('holds objects already');
    await server.saveSnapshot(file);
    const back = ends(await startServer({ snapshot: file }));
    expect((await call(back, 'GET', '/api/v1/namespaces/default/configmaps/moved')).body).toEqual(
      (await call(server, 'GET', '/api/v1/namespaces/default/configmaps/moved')).body,
    );
  });

  it('is of one snapshot alone, however many are loaded at once', async () => {
    const snapshot = join(folder, 'at-once');
    const source = ends(await startServer());
    for (const name of ['a', 'b'])
      await call(source, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name } });
    await source.saveSnapshot(snapshot);
    const begun = await Promise.allSettled([1, 2, 3].map(() => started({ etcdPrefix: '/at-once', snapshot })));
    const why = begun.flatMap((each) => (each.status === 'rejected' ? String(each.reason) : []));
    expect(why).toEqual([1, 2].map(() => expect.stringMatching(/holds (objects already|only a part of a snapshot)/)));
    const { body } = await call(
      await started({ etcdPrefix: '/at-once' }),
      'GET',
      '/api/v1/namespaces/default/configmaps',
    );
    expect(namesOf(body)).toEqual(expect.arrayContaining(['a', 'b']));
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
