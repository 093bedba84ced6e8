import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { configMap, configMaps, startTestServer, type TestServer } from './test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

function open(query: string, headers: Record<string, string> = {}): WebSocket {
  const url = `${server.url.replace('https', 'wss')}${configMaps}${query}`;
  const authorization = `Bearer ${server.adminToken}`;
  return new WebSocket(url, {
    ca: server.certificateAuthority,
    origin: server.url,
    headers: { authorization, ...headers },
  });
}

/** So many messages, as they came. */
async function read(socket: WebSocket, count: number): Promise<{ text: string; isBinary: boolean }[]> {
  const seen: { text: string; isBinary: boolean }[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.on('message', (data: Buffer, isBinary) => {
      seen.push({ text: data.toString('latin1'), isBinary });
      if (seen.length === count) resolve();
    });
    socket.on('error', reject);
  });
  return seen;
}

describe('a watch over a WebSocket', () => {
  it('has an event in each message, however many come at once', async () => {
    for (const name of ['a', 'b', 'c']) await server.post(configMaps, configMap(name, { text: 'x'.repeat(70_000) }));
    const socket = open('?watch=true');
    const seen = await read(socket, 3);
    expect(seen.map(({ text }) => JSON.parse(text).object.metadata.name)).toEqual(['a', 'b', 'c']);
    expect(seen.every(({ isBinary }) => !isBinary)).toBe(true);
    socket.send('nobody listens'.repeat(100));
    const pong = new Promise((resolve) => socket.once('pong', (data) => resolve(data.toString())));
    socket.ping('there?');
    expect(await pong).toBe('there?');
    const next = read(socket, 1);
    await server.post(configMaps, configMap('d'));
    expect(JSON.parse((await next)[0]?.text ?? '')).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'd' } },
    });
    socket.close();
    await new Promise((resolve) => socket.once('close', resolve));
    await server.settle();
  });

  it('is binary in protobuf, and ends with a close', async () => {
    const socket = open('?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Da', {
      accept: 'application/vnd.kubernetes.protobuf;stream=watch',
    });
    const [first] = await read(socket, 1);
    expect(first?.isBinary).toBe(true);
    expect(first?.text).toContain('k8s\0');
    const code = await new Promise((resolve) => socket.once('close', resolve));
    expect(code).toBe(1000);
  });

  it.each(['', 'Origin: null\r\n'])('is refused who does not say from where: %j', async (origin) => {
    const answer = await server.send(
      `GET ${configMaps}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.adminToken}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${origin}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa('sixteen bytes ..')}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 403 Forbidden\r\n[\s\S]*\r\n\r\n$/);
  });

  it('is refused like any other', async () => {
    const socket = open('?watch=1', { authorization: 'Bearer nobody' });
    const status = await new Promise((resolve) =>
      socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode)),
    );
    expect(status).toBe(401);
    const answer = await server.send(
      `GET ${configMaps}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.adminToken}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*sec-websocket-version: 13/i);
  });
});
