import { connect as connectHttp2 } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { objectKey } from '../store/object-keys.ts';
import { configMap, configMaps, readAll, startTestServer, type TestServer } from './test-server.fixture.ts';

const requestFor = (server: TestServer, name: string) => {
  const body = JSON.stringify(configMap(name));
  const head = `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.adminToken}`;
  return `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

/** Creates one object after the other over a connection, until it ends. */
function createAll(server: TestServer, socket: TLSSocket, prefix: string) {
  const sent: { name: string; at: number }[] = [];
  let answered = 0;
  const next = () => {
    const name = `${prefix}-${sent.length}`;
    sent.push({ name, at: performance.now() });
    socket.write(requestFor(server, name));
  };
  socket.on('error', () => {});
  const over = new Promise<void>((resolve) => socket.on('close', resolve));
  socket.on('data', (chunk: Buffer) => {
    if (!chunk.includes('HTTP/1.1 201')) return;
    answered++;
    if (!chunk.includes('connection: close')) next();
  });
  next();
  return { sent, over, answered: () => answered };
}

describe('the end of a server', () => {
  it('comes after the creates that were under way, each of which is answered', async () => {
    for (let round = 0; round < 5; round++) {
      const server = await startTestServer();
      const sockets = await Promise.all(Array.from({ length: 20 }, () => server.open()));
      const writers = sockets.map((socket, n) => createAll(server, socket, `w${n}`));
      await new Promise((resolve) => setTimeout(resolve, 50 + 7 * round));
      const told = performance.now();
      const stored = server.store;
      const list = () => stored.list(objectKey({ group: '', resource: 'configmaps' }, 'default', 'w'));
      await server.stop();
      await Promise.all(writers.map(({ over }) => over));
      for (const { sent, answered } of writers) {
        expect(answered()).toBeGreaterThanOrEqual(sent.filter(({ at }) => at < told).length);
      }
      // Nothing is stored that nobody was told of.
      const { items } = await list();
      expect(items).toHaveLength(writers.reduce((sum, { answered }) => sum + answered(), 0));
    }
  });

  it('over HTTP/2 as well', async () => {
    const server = await startTestServer();
    const client = connectHttp2(server.url, { ca: server.certificateAuthority });
    client.on('error', () => {});
    const create = (name: string) =>
      new Promise<number>((resolve) => {
        const stream = client.request({
          ':method': 'POST',
          ':path': configMaps,
          'content-type': 'application/json',
          authorization: `Bearer ${server.adminToken}`,
        });
        stream.on('response', (headers) => resolve(Number(headers[':status'])));
        stream.on('error', () => resolve(0));
        stream.on('close', () => resolve(0));
        stream.end(JSON.stringify(configMap(name)));
      });
    await create('first');
    const creates = Array.from({ length: 200 }, (_, n) => create(`c${n}`));
    await new Promise((resolve) => setImmediate(resolve));
    await server.stop();
    expect(new Set(await Promise.all(creates))).toEqual(new Set([201]));
  });

  it('is announced: not ready any more while it serves on, then watches end with a whole last chunk', async () => {
    const server = await startTestServer({ shutdownDelayDuration: 400 });
    const socket = await server.open();
    const watched = readAll(socket);
    socket.write(`GET ${configMaps}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.adminToken}\r\n\r\n`);
    await server.post(configMaps, configMap('seen'));
    const stopping = server.stop();
    expect((await server.get('/readyz')).status).toBe(500);
    expect((await server.get('/livez')).status).toBe(200);
    expect((await server.post(configMaps, configMap('late'))).status).toBe(201);
    await stopping;
    const text = await watched;
    expect(text).toContain('"late"');
    expect(text.endsWith('\r\n0\r\n\r\n')).toBe(true);
  });

  it('comes soon though a watch is asked for in the midst of it: that one ends as well', async () => {
    const server = await startTestServer();
    const [watcher, writer] = [await server.open(), await server.open()];
    const [watched, written] = [readAll(watcher), readAll(writer)];
    const [begun, rest] = [requestFor(server, 'slow').slice(0, -1), requestFor(server, 'slow').slice(-1)];
    // What has begun is no idle connection, and this one holds the end up.
    watcher.write(`GET ${configMaps}?watch=1 HTTP/1.1\r\nHost: x\r\n`);
    writer.write(begun);
    await server.get(configMaps);
    const stopping = server.stop();
    await new Promise((resolve) => setTimeout(resolve, 100));
    watcher.write(`Authorization: Bearer ${server.adminToken}\r\n\r\n`);
    const text = await watched;
    expect(text).toContain('HTTP/1.1 200');
    expect(text.endsWith('\r\n0\r\n\r\n')).toBe(true);
    const began = performance.now();
    writer.write(rest);
    await stopping;
    expect(performance.now() - began).toBeLessThan(5000);
    expect(await written).toContain('HTTP/1.1 201');
  });

  it('leaves the controllers and the node beside it at work while it serves on', async () => {
    const server = await startTestServer({ shutdownDelayDuration: 2000, controllers: ['*'] });
    const pods = '/api/v1/namespaces/default/pods';
    await server.settle();
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    expect((await server.post(pods, pod)).status).toBe(201);
    await server.settle();
    expect((await server.get(`${pods}/p/log`)).status).toBe(200);
    const stopping = server.stop();
    expect((await server.get('/readyz')).status).toBe(500);
    expect((await server.get(`${pods}/p/log`)).status).toBe(200);
    expect((await server.post(pods, { ...pod, metadata: { name: 'late' } })).status).toBe(201);
    await server.settle();
    expect((await server.get(`${pods}/late`)).body).toMatchObject({ status: { phase: 'Running' } });
    await stopping;
  });
});
