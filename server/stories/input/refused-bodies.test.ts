import { connect as connectHttp2 } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMaps, readAll, startTestServer, type TestServer } from '../test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const MiB = 1024 * 1024;
const head = (length: number | undefined, token: string) =>
  [
    `POST ${configMaps} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n');

/** Sends until the other side ends the connection. @returns how many bytes it took, about */
async function pour(socket: TLSSocket, atMost: number, wrap = (piece: string) => piece): Promise<number> {
  const piece = wrap('x'.repeat(64 * 1024));
  let over = false;
  socket.on('close', () => {
    over = true;
  });
  socket.on('error', () => {});
  for (let sent = 0; sent < atMost && !over; sent += piece.length) {
    if (!socket.write(piece)) await new Promise((resolve) => setImmediate(resolve));
  }
  socket.destroy();
  return socket.bytesWritten - socket.writableLength;
}

describe('a body that is refused', () => {
  it.each([
    ['for its announced length', 200 * MiB, () => server.adminToken, 413],
    ['for its length', undefined, () => server.adminToken, 413],
    ['for its sender', 200 * MiB, () => 'nobody', 401],
  ])('%s is not read to its end, and its sender is told', async (_, length, token, code) => {
    const socket = await server.open();
    const answered = readAll(socket);
    socket.write(head(length, token()));
    const chunked = (piece: string) => `${piece.length.toString(16)}\r\n${piece}\r\n`;
    const taken = await pour(socket, 100 * MiB, length === undefined ? chunked : undefined);
    expect(await answered).toContain(`HTTP/1.1 ${code} `);
    expect(taken).toBeLessThan(16 * MiB);
  });

  it('does not cost the connection where it is short', async () => {
    const socket = await server.open();
    const answered = readAll(socket);
    const body = 'x'.repeat(100_000);
    socket.write(head(body.length, 'nobody'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.write(body);
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await answered).toMatch(/^HTTP\/1.1 401 [\s\S]*HTTP\/1.1 200 /);
  });

  it('over HTTP/2 is cut off after the answer, and the connection goes on', async () => {
    const client = connectHttp2(server.url, { ca: server.certificateAuthority });
    const ask = (token: string, body?: Buffer) =>
      new Promise<{ status: number; taken: number }>((resolve) => {
        const stream = client.request({
          ':method': body ? 'POST' : 'GET',
          ':path': body ? configMaps : '/livez',
          authorization: `Bearer ${token}`,
        });
        let status = 0;
        let taken = 0;
        stream.on('response', (headers) => {
          status = Number(headers[':status']);
        });
        stream.on('error', () => {});
        stream.on('close', () => resolve({ status, taken }));
        stream.resume();
        const more = () => {
          taken += body?.length ?? 0;
          if (stream.destroyed || taken > 100 * MiB) return;
          stream.write(body, more);
        };
        if (body) more();
        else stream.end();
      });
    const { status, taken } = await ask('nobody', Buffer.alloc(64 * 1024, 0x20));
    expect(status).toBe(401);
    expect(taken).toBeLessThan(16 * MiB);
    expect((await ask(server.adminToken)).status).toBe(200);
    client.close();
  });

  it('over HTTP/2 may come again and again, whatever the client keeps of what it could not send', async () => {
    const client = connectHttp2(server.url, { ca: server.certificateAuthority });
    const body = Buffer.alloc(3 * MiB + 1024, 0x20);
    const statuses: number[] = [];
    for (let n = 0; n < 10; n++) {
      const stream = client.request({
        ':method': 'POST',
        ':path': configMaps,
        authorization: `Bearer ${server.adminToken}`,
        'content-length': body.length,
      });
      stream.on('response', (headers) => statuses.push(Number(headers[':status'])));
      stream.on('error', () => {});
      stream.resume().end(body);
      await new Promise((resolve) => stream.once('close', resolve));
    }
    expect(statuses).toEqual(Array(10).fill(413));
    client.close();
  });
});
