import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { webSocketSink } from './web-socket.ts';

it('who pings without end and reads nothing fills no memory', async () => {
  const socket = new Duplex({ read() {}, write() {} });
  webSocketSink({ socket, head: Buffer.alloc(0) }, 'application/json');
  const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 100, 0, 0, 0, 0]), Buffer.alloc(100, 'x')]);
  for (let i = 0; i < 10_000; i++) socket.push(ping);
  await new Promise((resolve) => setImmediate(resolve));
  expect(socket.writableLength).toBeGreaterThan(0);
  expect(socket.writableLength).toBeLessThan(2 * socket.writableHighWaterMark);
});
