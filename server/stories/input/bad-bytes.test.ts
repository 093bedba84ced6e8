import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, configMaps, readAll, type TestServer } from '../test-server.fixture.ts';
import { startSturdyServer } from './sturdy-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startSturdyServer();
});
afterAll(() => server.stop());

describe('on the wire', () => {
  const head = (line: string, ...headers: string[]) =>
    [line, 'Host: x', `Authorization: Bearer ${server.adminToken}`, ...headers, '', ''].join('\r\n');
  const statusOf = (text: string) => text.split('\r\n', 1)[0];

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a method that does not exist, of nobody', 'BREW /api HTTP/1.1\r\nHost: x\r\n\r\n', 403],
    ['no method', ' /api HTTP/1.1\r\n\r\n', 400],
    ['bytes at random', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['headers without an end', `GET /api HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}`, 431],
    ['a length that is none', 'POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: much\r\n\r\n', 400],
    ['a negative length', 'POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
    ['a version that does not exist', 'GET /api HTTP/9.9\r\nHost: x\r\n\r\n', 400],
  ])('%s', async (_, bytes, code) => {
    expect(statusOf(await server.send(bytes))).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
  });

  it.each(['TRACE', 'OPTIONS', 'PROPFIND', 'CONNECT'])('the unusual method %s', async (method) => {
    const text = await server.send(head(`${method} ${configMaps} HTTP/1.1`, 'Connection: close'));
    expect(statusOf(text)).toMatch(/^HTTP\/1.1 40[05] /);
  });

  it.each([
    ['a method that does not exist', 'BREW /api HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'an upgrade',
      `GET ${configMaps}?watch=1&timeoutSeconds=1 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    ],
  ])('%s behind a request that is not answered yet', async (_, second) => {
    const together = await server.send(head(`GET ${configMaps} HTTP/1.1`) + second);
    expect(statusOf(together)).toBe('HTTP/1.1 200 OK');
    const socket = await server.open();
    socket.on('error', () => {});
    socket.write(head(`GET ${configMaps} HTTP/1.1`));
    socket.write(second);
    await expect.poll(() => socket.destroyed || socket.readableEnded || socket.bytesRead > 0).toBe(true);
    socket.destroy();
    expect((await server.get('/livez')).status).toBe(200);
  });

  it('a thousand connections that say nothing, or half of it', async () => {
    const port = Number(new URL(server.url).port);
    const silent = Array.from({ length: 1000 }, () => connectTcp(port, '127.0.0.1').on('error', () => {}));
    const slow = await Promise.all(Array.from({ length: 50 }, () => server.open()));
    for (const socket of slow) socket.on('error', () => {}).write('GET /livez HTTP/1.1\r\nHost:');
    await Promise.all(silent.map((socket) => socket.connecting && once(socket, 'connect')));
    expect((await server.get('/livez')).status).toBe(200);
    expect((await server.post(configMaps, configMap('beside-them'))).status).toBe(201);
    for (const socket of [...silent, ...slow]) socket.destroy();
    expect((await server.get('/livez')).status).toBe(200);
  });

  it('clients that leave in the middle of anything', async () => {
    const body = JSON.stringify(configMap('never'));
    const whole =
      head(`POST ${configMaps} HTTP/1.1`, 'Content-Type: application/json', `Content-Length: ${body.length}`) + body;
    for (let cut = 0; cut < whole.length; cut += 11) {
      const socket = await server.open();
      socket.on('error', () => {});
      socket.write(whole.slice(0, cut));
      if (cut % 2) socket.destroy();
      else socket.end();
    }
    await expect.poll(() => server.get(`${configMaps}/never`).then(({ status }) => status)).toBe(404);
    await expect
      .poll(async () => /apiserver_current_inflight_requests (\d+)/.exec((await server.get('/metrics')).text)?.[1])
      .toBe('1');
  });

  it('a client that waits to be told to go on', async () => {
    const body = JSON.stringify(configMap('patient'));
    const socket = await server.open();
    const answered = readAll(socket);
    socket.write(
      head(
        `POST ${configMaps} HTTP/1.1`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
        'Connection: close',
      ),
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write(body);
    const text = await answered;
    expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
  });

  it('a body in many small pieces', async () => {
    const body = JSON.stringify(configMap('pieces'));
    const chunks = [...body].map((char) => `1\r\n${char}\r\n`).join('');
    const text = await server.send(
      `${head(`POST ${configMaps} HTTP/1.1`, 'Content-Type: application/json', 'Transfer-Encoding: chunked', 'Connection: close')}${chunks}0\r\n\r\n`,
    );
    expect(statusOf(text)).toMatch(/^HTTP\/1.1 201 /);
  });

  it.each(['zz\r\nhello\r\n', '5\r\nhel', '-1\r\n\r\n'])('broken chunks %j', async (chunks) => {
    const socket = await server.open();
    const answered = readAll(socket);
    socket.write(
      head(`POST ${configMaps} HTTP/1.1`, 'Content-Type: application/json', 'Transfer-Encoding: chunked') + chunks,
    );
    socket.end();
    expect(statusOf(await answered)).toMatch(/^(?:HTTP\/1.1 400 .*)?$/);
  });

  it('a hundred connections that say nothing do not keep others out', async () => {
    const silent = await Promise.all(Array.from({ length: 100 }, () => server.open()));
    expect((await server.get('/healthz')).status).toBe(200);
    for (const socket of silent) socket.destroy();
  });

  it('HTTP/2 that is none', async () => {
    const answered = server.send('hello, this is not a preface at all\r\n\r\n', 'h2');
    expect(await answered).not.toContain('HTTP/1.1 200');
    expect((await server.get('/healthz')).status).toBe(200);
  });
});
