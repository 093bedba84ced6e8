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

  const asked = (headers: Record<string, string>) => {
    const all = {
      host: 'x',
      connection: 'Upgrade',
      upgrade: 'websocket',
      origin: 'https://x',
      'sec-websocket-version': '13',
      'sec-websocket-key': btoa('sixteen bytes ..'),
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return server.send(`GET ${configMaps}?watch=1&timeoutSeconds=1 HTTP/1.1\r\n${lines.join('')}\r\n`);
  };
  const authorization = () => `Bearer ${server.adminToken}`;

  it('is for pages as well, whose token is among their protocols and told to nobody', async () => {
    const token = `base64url.bearer.authorization.k8s.io.${Buffer.from(server.adminToken).toString('base64url')}`;
    const answer = await asked({ 'sec-websocket-protocol': `${token}, chat` });
    expect(answer).toMatch(/^HTTP\/1.1 101 [\s\S]*\r\nSec-WebSocket-Protocol: chat\r\n/);
    expect(answer).not.toContain('bearer.authorization');
    const [start, end] = [token.slice(0, -4), 'AAAA, chat'];
    expect(await asked({ 'sec-websocket-protocol': start + end })).toMatch(/^HTTP\/1.1 401 /);
  });

  it('takes any key, as people make them up', async () => {
    const answer = await asked({ authorization: authorization(), 'sec-websocket-key': 'aGVsbG8=' });
    expect(answer).toMatch(/^HTTP\/1.1 101 /);
  });

  it('speaks no protocol more than another: of several it chooses none', async () => {
    const answer = await asked({ authorization: authorization(), 'sec-websocket-protocol': 'chat, talk' });
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*\r\n\r\n$/);
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
