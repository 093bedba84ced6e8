import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EtcdProcess, withoutEtcd } from '../../store/etcd/etcd-process.fixture.ts';
import { configMap, configMaps, startTestServer, type TestServer } from '../test-server.fixture.ts';

/** Bytes that etcd may take on disk. */
const quota = 4 * 1024 * 1024;

describe.skipIf(withoutEtcd)('an etcd whose space is exceeded', () => {
  let etcd: EtcdProcess;
  let server: TestServer;
  beforeAll(async () => {
    etcd = await EtcdProcess.start({ flags: [`--quota-backend-bytes=${quota}`] });
    server = await startTestServer({ etcdServers: [etcd.url] });
  });
  afterAll(async () => {
    await server?.stop();
    await etcd?.stop();
  });

  it('lets writes fail clearly and reads go on, and takes writes again when there is room', async () => {
    const path = (name: string) => `${configMaps}/${name}`;
    const text = 'x'.repeat(500_000);
    const names: string[] = [];
    let refused: Awaited<ReturnType<TestServer['post']>> | undefined;
    for (let n = 0; n < 30 && !refused; n++) {
      const answer = await server.post(configMaps, configMap(`large-${n}`, { text }));
      if (answer.status === 201) names.push(`large-${n}`);
      else refused = answer;
    }
    expect(refused?.status).toBe(507);
    expect(refused?.body).toMatchObject({
      kind: 'Status',
      status: 'Failure',
      reason: 'InsufficientStorage',
      code: 507,
    });
    expect(refused?.body.message).toContain('database space exceeded');
    expect((await server.put(path(names[0] ?? ''), configMap(names[0] ?? ''))).status).toBe(507);

    for (const name of names) expect((await server.get(path(name))).status).toBe(200);
    const list = await server.get(configMaps);
    expect(list.body.items.filter(({ data }: { data?: object }) => data !== undefined).length).toBeGreaterThanOrEqual(
      names.length,
    );
    // What gives room is not refused.
    for (const name of names) expect((await server.delete(path(name))).status).toBe(200);

    const { header } = await etcd.ask('kv/range', { key: Buffer.from('x').toString('base64') });
    await etcd.ask('kv/compaction', { revision: header.revision, physical: true });
    await etcd.ask('maintenance/defragment', {});
    await etcd.disarm();
    expect((await server.post(configMaps, configMap('after'))).status).toBe(201);
    expect((await server.get(path('after'))).status).toBe(200);
  });
});

describe.skipIf(withoutEtcd)('an etcd that was told to take small requests alone', () => {
  it('lets larger ones fail at once, and says why', async () => {
    const etcd = await EtcdProcess.start({ flags: ['--max-request-bytes=100000'] });
    onTestFinished(() => etcd.stop());
    const server = await startTestServer({ etcdServers: [etcd.url] });
    onTestFinished(() => server.stop());
    const write = (length: number) => server.post(configMaps, configMap('large', { text: 'x'.repeat(length) }));
    for (const [length, message] of [
      [200_000, 'etcdserver: request is too large'],
      [1_000_000, 'received message larger than max'],
    ] as const) {
      const { body } = await write(length);
      expect(body).toMatchObject({ code: 500, message: expect.stringContaining(message) });
    }
    expect((await write(50_000)).status).toBe(201);
  });

  it('says so where it writes less at once than an object takes of ports', async () => {
    const etcd = await EtcdProcess.start({ flags: ['--max-txn-ops=8'] });
    onTestFinished(() => etcd.stop());
    const server = await startTestServer({ etcdServers: [etcd.url] });
    onTestFinished(() => server.stop());
    const create = (count: number) => {
      const ports = Array.from({ length: count }, (_, index) => ({ name: `p${index}`, port: 80 + index }));
      const metadata = { name: `of-${count}` };
      return server.post('/api/v1/namespaces/default/services', { metadata, spec: { type: 'NodePort', ports } });
    };
    const message = 'etcdserver: too many operations in txn request';
    expect(await create(9)).toMatchObject({ status: 500, body: { message } });
    expect((await create(3)).status).toBe(201);
  });
});
