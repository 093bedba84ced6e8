import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../start.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** What comes back for bytes that are sent without TLS. */
const answerTo = (sent: string): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(sent));
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });

test('who speaks HTTP on the port of HTTPS is told so, in a form that any client understands', async () => {
  expect(await answerTo('GET /version HTTP/1.1\r\nHost: a\r\n\r\n')).toBe(
    'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
  );
});

test('who speaks something else is told nothing', async () => {
  expect(await answerTo('\u0000nonsense that is no handshake')).not.toContain('HTTP/1');
});
