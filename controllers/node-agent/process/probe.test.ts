import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeServing } from '../../certificates/authority.ts';
import { ask, type Probe } from './probe.ts';

const asked: string[] = [];
const servers: Server[] = [];
/** Ports by name, as a container gives them. */
const ports: Record<string, number> = {};

const answer = ({ url = '', headers }: IncomingMessage, response: ServerResponse) => {
  asked.push(`${url} ${headers['x-from'] ?? ''}`.trim());
  const [, code = '200'] = /^\/(\d+)$/.exec(url) ?? [];
  if (code !== '0') response.writeHead(Number(code)).end('x'.repeat(100_000));
};

async function listening(name: string, server: Server): Promise<void> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ports[name] = (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const { certificate: cert, key } = await makeServing(['localhost'], Date.now(), 60_000);
  await listening('plain', http.createServer(answer));
  await listening('secret', https.createServer({ cert, key }, answer));
  const closed = createServer();
  await listening('closed', closed);
  closed.close();
});
afterAll(() => {
  for (const server of servers) {
    if (server instanceof http.Server || server instanceof https.Server) server.closeAllConnections();
    server.close();
  }
});

const judge = (probe: Probe) =>
  ask(probe, {
    exec: async ([command]) => (command === 'true' ? 0 : 3),
    portOf: (port) => ports[port] ?? Number(port),
  });
const get = (path: string, more: object = {}) => judge({ httpGet: { port: 'plain', path, ...more } });

test.each([200, 204, 302, 399])('an answer of %d is well', async (code) => {
  expect(await get(`/${code}`)).toBeUndefined();
});

test.each([400, 404, 500, 503])('an answer of %d is not', async (code) => {
  expect(await get(`/${code}`)).toBe(`HTTP probe failed with statuscode: ${code}`);
});

test('what is asked is as the probe says, whoever signed the certificate', async () => {
  asked.length = 0;
  const httpHeaders = [{ name: 'X-From', value: 'probe' }];
  expect(await get('/ready?full=1', { httpHeaders })).toBeUndefined();
  expect(await get('ready')).toBeUndefined();
  expect(await judge({ httpGet: { port: 'plain' } })).toBeUndefined();
  expect(await get('/safe', { port: 'secret', scheme: 'HTTPS' })).toBeUndefined();
  expect(asked).toEqual(['/ready?full=1 probe', '/ready', '/', '/safe']);
});

test.each<[string, Probe, RegExp]>([
  ['nobody listens', { httpGet: { port: 'closed' } }, /ECONNREFUSED/],
  ['the other side speaks without TLS', { httpGet: { port: 'plain', scheme: 'HTTPS' } }, /./],
  ['a header cannot be', { httpGet: { port: 'plain', httpHeaders: [{ name: 'a b', value: '' }] } }, /a b/],
  ['no answer comes', { httpGet: { port: 'plain', path: '/0' }, timeoutSeconds: 0.2 }, /timeout|aborted/],
  ['nobody listens to bytes', { tcpSocket: { port: 'closed' } }, /ECONNREFUSED/],
  ['a command fails', { exec: { command: ['false'] } }, /exited with 3/],
])('when %s, it says so and does not throw', async (_, probe, why) => {
  expect(await judge(probe)).toMatch(why);
});

test.each<[string, Probe]>([
  ['who takes a connection', { tcpSocket: { port: 'plain' } }],
  ['who takes one by gRPC', { grpc: { port: 'plain' } as never }],
  ['a command that succeeds', { exec: { command: ['true'] } }],
  ['what asks for nothing', {}],
])('%s is well', async (_, probe) => {
  expect(await judge(probe)).toBeUndefined();
});
