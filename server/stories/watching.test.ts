import { connect as connectHttp2 } from 'node:http2';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  configMap,
  configMaps,
  isFailure,
  numbered,
  readAll,
  startTestServer,
  type TestServer,
} from './test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const namespaced = async (name: string) => {
  await server.post('/api/v1/namespaces', { metadata: { name } });
  return `/api/v1/namespaces/${name}/configmaps`;
};

interface Seen {
  readonly type: string;
  readonly name: string;
  readonly version: number;
}

/** Reads a watch until `enough` says so, then drops the connection as a broken network would. */
async function readUntil(path: string, enough: (seen: readonly Seen[]) => boolean): Promise<Seen[]> {
  const seen: Seen[] = [];
  if (enough(seen)) return seen;
  const cut = new AbortController();
  try {
    for await (const { type, object } of server.watch(path, cut.signal)) {
      seen.push({ type, name: object.metadata.name, version: Number(object.metadata.resourceVersion) });
      if (enough(seen)) break;
    }
  } finally {
    cut.abort();
  }
  return seen;
}

describe('a watch', () => {
  it('begins with what is there, and ends in time', async () => {
    const path = await namespaced('beginnings');
    await server.post(path, configMap('one'));
    const found: string[] = [];
    for await (const { type, object } of server.watch(
      `${path}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Done`,
    )) {
      found.push(`${type} ${object.metadata.name}`);
    }
    expect(found).toEqual(['ADDED one']);
  });

  it('that goes on where it broke off loses and repeats nothing, whatever is written and whenever it breaks', async () => {
    const operation = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), remove: fc.boolean() });
    const run = fc.record({
      operations: fc.array(operation, { minLength: 1, maxLength: 40 }),
      cuts: fc.array(fc.nat(8), { maxLength: 6 }),
    });
    let count = 0;
    const property = fc.asyncProperty(run, async ({ operations, cuts }) => {
      const path = await namespaced(`resume-${count++}`);
      const start = (await server.get(path)).body.metadata.resourceVersion;
      const expected: Seen[] = [];
      const write = async () => {
        for (const { name, remove } of operations) await step(path, name, remove, expected);
        await step(path, 'last', false, expected);
      };
      const writing = write();
      const seen: Seen[] = [];
      const done = (events: readonly Seen[]) => events.at(-1)?.name === 'last';
      const follow = async (enough: (events: readonly Seen[]) => boolean) => {
        const from = seen.at(-1)?.version ?? start;
        seen.push(...(await readUntil(`${path}?watch=true&resourceVersion=${from}`, enough)));
      };
      for (const cut of cuts) if (!done(seen)) await follow((events) => events.length >= cut || done(events));
      if (!done(seen)) await follow(done);
      await writing;
      expect(seen.filter(({ name }) => name !== 'kube-root-ca.crt')).toEqual(expected);
    });
    await fc.assert(property, { numRuns: 25 });
  });

  /** Writes one change and notes the event that it must bring. */
  async function step(path: string, name: string, remove: boolean, expected: Seen[]): Promise<void> {
    const there = expected.findLast((event) => event.name === name);
    const exists = there !== undefined && there.type !== 'DELETED';
    const note = (type: string, version: unknown) => expected.push({ type, name, version: Number(version) });
    if (!exists) {
      if (!remove) note('ADDED', (await server.post(path, configMap(name))).body.metadata.resourceVersion);
    } else if (remove) {
      await server.delete(`${path}/${name}`);
      note('DELETED', await server.store.currentRevision());
    } else {
      const body = configMap(name, { turn: String(expected.length) });
      note('MODIFIED', (await server.put(`${path}/${name}`, body)).body.metadata.resourceVersion);
    }
  }

  it('tells who enters and leaves a selection', async () => {
    const path = await namespaced('selected');
    const watching = readUntil(`${path}?watch=true&labelSelector=in%3Dyes`, (seen) => seen.length === 4);
    const label = (value: string) =>
      server.patch(`${path}/x`, { metadata: { labels: { in: value } } }, 'application/merge-patch+json');
    await server.post(path, configMap('x'));
    await label('yes');
    await server.patch(`${path}/x`, { data: { a: '1' } }, 'application/merge-patch+json');
    await label('no');
    await label('yes');
    expect((await watching).map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED', 'ADDED']);
  });

  it.each([
    ['resourceVersion=x', 400],
    ['resourceVersionMatch=Exact', 422],
    ['labelSelector=%3D%3D', 400],
    ['fieldSelector=spec.nothing%3D1', 400],
    ['timeoutSeconds=soon', 400],
  ])('is refused with ?%s', async (query, code) => {
    const { status, body } = await server.get(`${configMaps}?watch=true&${query}`);
    expect(status).toBe(code);
    expect(isFailure(body, code)).toBe(true);
  });

  it('is cut off when its reader does not read, while others get everything', async () => {
    const path = await namespaced('slow');
    const socket = await server.open();
    socket.pause();
    socket.write(`GET ${path}?watch=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.adminToken}\r\n\r\n`);
    // More than a watcher may have waiting together with all that the sockets on the way can hold.
    const names = numbered('big', 84);
    const start = (await server.get(path)).body.metadata.resourceVersion;
    const quick = readUntil(`${path}?watch=true&resourceVersion=${start}`, (seen) => seen.length === names.length);
    for (const name of names) await server.post(path, configMap(name, { fill: 'x'.repeat(900_000) }));
    expect((await quick).map(({ name }) => name)).toEqual(names);
    const read = await readAll(socket.resume() as typeof socket);
    expect(read.length).toBeLessThan(names.length * 900_000);
    expect((await server.get('/readyz')).text).toBe('ok');
  }, 90_000);
});

describe('the end of a server', () => {
  it('comes after those who are at it have finished', async () => {
    const own = await startTestServer({ shutdownDelayDuration: 1000 });
    const head = `Host: x\r\nAuthorization: Bearer ${own.adminToken}\r\n`;
    const body = JSON.stringify(configMap('late'));
    const writer = await own.open();
    const written = readAll(writer);
    writer.write(
      `POST ${configMaps} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const events: string[] = [];
    const watching = (async () => {
      for await (const { type, object } of own.watch(`${configMaps}?watch=true`))
        events.push(`${type} ${object.metadata.name}`);
    })();
    await expect.poll(() => own.get('/readyz').then(({ status }) => status)).toBe(200);
    const stopping = own.stop();
    const unready = await own.get('/readyz?verbose');
    expect(unready.status).toBe(500);
    expect(unready.text).toContain('[-]shutdown failed');
    expect((await own.get('/livez')).status).toBe(200);
    expect((await own.post(configMaps, configMap('meanwhile'))).status).toBe(201);
    writer.write(body);
    await stopping;
    expect(await written).toMatch(/^HTTP\/1.1 201 /);
    await watching;
    expect(events).toEqual(expect.arrayContaining(['ADDED meanwhile', 'ADDED late']));
    await expect(own.get('/readyz')).rejects.toThrow();
  });
});

describe('protocols', () => {
  it('HTTP/2 carries many requests at once over one connection', async () => {
    const session = connectHttp2(server.url, { ca: server.certificateAuthority });
    const ask = (path: string) =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        const stream = session.request({ ':path': path, authorization: `Bearer ${server.adminToken}` });
        let status = 0;
        let body = '';
        stream.on('response', (headers) => {
          status = Number(headers[':status']);
        });
        stream.on('data', (chunk) => {
          body += chunk;
        });
        stream.on('end', () => resolve({ status, body }));
        stream.on('error', reject);
      });
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask('/api/v1/namespaces/default')));
    expect(answers.every(({ status, body }) => status === 200 && JSON.parse(body).metadata.name === 'default')).toBe(
      true,
    );
    session.close();
  });

  it('HTTP/1.1 answers pipelined requests in their order', async () => {
    const get = (path: string, more = '') =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.adminToken}\r\n${more}\r\n`;
    const text = await server.send(
      get('/api/v1/namespaces/default') + get('/nowhere') + get('/healthz', 'Connection: close\r\n'),
    );
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code)).toEqual(['200', '404', '200']);
  });

  it('the kubeconfig is all that a client library needs', async () => {
    const config = new KubeConfig();
    config.loadFromString(server.kubeconfig);
    const api = config.makeApiClient(CoreV1Api);
    const { items } = await api.listNamespace();
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(expect.arrayContaining(['default', 'kube-system']));
    const made = await api.createNamespacedConfigMap({
      namespace: 'default',
      body: { metadata: { generateName: 'made-' } },
    });
    expect(made.metadata?.name).toMatch(/^made-[a-z0-9]{5}$/);
    await expect(api.readNamespacedConfigMap({ namespace: 'default', name: 'missing' })).rejects.toMatchObject({
      code: 404,
    });
  });
});
