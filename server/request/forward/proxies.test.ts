import { writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';
import { makeSelfSigned } from '../../x509/self-signed.ts';

/** What is behind a proxy may answer as it likes: its client hears something all the same. */

const folder = temporaryFolder();
const answers: Readonly<Record<string, string>> = {
  '/switches': '101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: foo\r\n\r\n',
  '/empty': '204 No Content\r\nContent-Length: 2\r\n\r\n',
  '/own': '200 OK\r\nConnection: X-Own\r\nX-Own: a\r\nHTTP2-Settings: b\r\nContent-Length: 2\r\n\r\nok',
};
const asked: string[] = [];

let agent: ReturnType<typeof createServer>;
let server: TestServer;
/** Does not know its agents. */
let unsure: TestServer;
beforeAll(async () => {
  const hour = 3_600_000;
  const pair = makeSelfSigned(['127.0.0.1'], new Date(Date.now() - hour), new Date(Date.now() + hour));
  agent = createServer({ cert: pair.certificate, key: pair.key }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      asked.push(head.toString('latin1'));
      socket.write(`HTTP/1.1 ${answers[head.toString('latin1').split(' ')[1] ?? '']}`);
    });
  });
  await new Promise<void>((resolve) => agent.listen(0, '127.0.0.1', resolve));
  const authority = join(folder, 'ca.crt');
  writeFileSync(authority, pair.certificate);
  server = await startTestServer({ kubeletCertificateAuthority: authority });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: (agent.address() as AddressInfo).port } },
  };
  await server.post('/api/v1/nodes', { metadata: { name: 'n' }, status });
  unsure = await startTestServer();
});
afterAll(async () => {
  await Promise.all([server.stop(), unsure.stop()]);
  agent.close();
});

/** Status and headers of an answer over HTTP/2. */
async function overHttp2(path: string): Promise<Readonly<Record<string, unknown>>> {
  const session = connect(server.url, { ca: server.certificateAuthority });
  try {
    return await new Promise((resolve, reject) => {
      const stream = session.request({
        ':path': `/api/v1/nodes/n/proxy${path}`,
        authorization: `Bearer ${server.adminToken}`,
      });
      let headers = {};
      stream.on('response', (head) => {
        headers = head;
      });
      stream.on('error', reject).on('end', () => resolve(headers));
      stream.resume();
    });
  } finally {
    session.destroy();
  }
}

it('who switches protocols unasked is not reached', async () => {
  const { status, body } = await server.get('/api/v1/nodes/n/proxy/switches');
  expect([status, body.message]).toEqual([500, expect.stringContaining('tried to switch protocol "foo"')]);
  expect(await overHttp2('/switches')).toMatchObject({ ':status': 500 });
});

it('a length of what there is not is not passed back', async () => {
  expect(await overHttp2('/empty')).toMatchObject({ ':status': 204 });
});

it('what is about one connection goes no further', async () => {
  const answer = await overHttp2('/own');
  expect(answer).toMatchObject({ ':status': 200, 'content-length': '2' });
  expect(answer).not.toHaveProperty('x-own');
  const mine = {
    authorization: `Bearer ${server.adminToken}`,
    connection: 'close, X-Mine',
    'x-mine': 'm',
    'x-all': 'a',
  };
  const head = Object.entries({ host: 'h', ...mine }).map(([name, value]) => `${name}: ${value}\r\n`);
  expect(await server.send(`GET /api/v1/nodes/n/proxy/own HTTP/1.1\r\n${head.join('')}\r\n`)).toContain('200 OK');
  expect(asked.at(-1)).toContain('x-all: a');
  expect(asked.at(-1)).not.toContain('x-mine');
});

it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '127.1', '2130706433', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  'who cannot tell agents apart asks none at %s',
  async (address) => {
    const { port } = agent.address() as AddressInfo;
    const status = {
      addresses: [{ type: 'Hostname', address }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    };
    await unsure.post('/api/v1/nodes', { metadata: { name: 'near' }, status });
    const before = asked.length;
    const { body } = await unsure.get('/api/v1/nodes/near/proxy/own');
    expect(body.message).toContain('address not allowed');
    expect(asked.length).toBe(before);
    await unsure.delete('/api/v1/nodes/near');
  },
);
