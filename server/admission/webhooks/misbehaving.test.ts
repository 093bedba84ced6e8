import { writeFileSync } from 'node:fs';
import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { startTestServer } from '../../stories/test-server.fixture.ts';
import {
  bundle,
  certificates,
  keyOf,
  patchOf,
  pemOf,
  startTestWebhook,
  type TestWebhook,
} from './webhook-server.fixture.ts';
import { configMaps, hook, install, map, startScene } from './webhook-stories.fixture.ts';

const { server, webhook, ends, endAll } = await startScene();
let count = 0;
const create = () => server.post(configMaps, map(`map-${count++}`, { a: '1' }));

const installed = async (more: object, kind: 'mutating' | 'validating' = 'validating') => {
  ends.push(await install(server, kind, [await hook(webhook, { timeoutSeconds: 1, ...more })]));
};

const caBundle = async () => bundle(pemOf((await certificates()).authority));

const broken: readonly [string, TestWebhook['respond'], string][] = [
  ['answers 500', (_, response) => void response.writeHead(500).end('boom'), 'an error on the server'],
  ['answers 404', (_, response) => void response.writeHead(404).end(), 'could not find the requested resource'],
  ['redirects', (_, response) => void response.writeHead(307, { location: '/' }).end(), 'HTTP 307'],
  ['answers nothing', (_, response) => void response.end(), '0-length response'],
  ['answers garbage', (_, response) => void response.end(Buffer.alloc(1000, 0xff)), 'json parse error'],
  ['answers no review', (_, response) => void response.end('{}'), 'expected webhook response'],
  ['answers 10 MB', (_, response) => void response.end(Buffer.alloc(10 << 20, 0x20)), 'exceeds'],
  ['floods', (_, response) => flood(response), 'exceeds'],
  ['resets', (_, response) => void response.destroy(), 'connection reset by peer'],
  ['resets in mid-sentence', (_, response) => void response.write('{', () => response.destroy()), ''],
  [
    'sends endless headers',
    (_, response) => void response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1 << 20)}`),
    '',
  ],
  ['speaks no HTTP', (_, response) => void response.socket?.end('hello\r\n\r\n'), ''],
  ['hangs', () => undefined, 'context deadline exceeded'],
  ['hangs in mid-sentence', (_, response) => void response.writeHead(200).write('{'), 'context deadline exceeded'],
];

/** Writes for as long as somebody reads. */
function flood(response: Parameters<TestWebhook['respond']>[1]): undefined {
  const chunk = Buffer.alloc(1 << 16, 0x20);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

describe.each(broken)('a webhook that %s', (_, respond, why) => {
  it('fails the request under Fail', async () => {
    await installed({});
    webhook.respond = respond;
    const { status, body } = await create();
    expect(status).toBe(500);
    expect(body).toMatchObject({
      reason: 'InternalError',
      message: expect.stringContaining('failed calling webhook "one.example.com"'),
    });
    expect(body.message).toContain(why);
    expect(body.message).toBe(`Internal error occurred: ${body.details.causes[0].message}`);
  });

  it('stands in nobody’s way under Ignore', async () => {
    await installed({ failurePolicy: 'Ignore' }, 'mutating');
    webhook.respond = respond;
    expect((await create()).status).toBe(201);
  });
});

describe('a webhook that cannot be reached', () => {
  const messageWith = async (clientConfig: object, more: object = {}) => {
    await installed({ clientConfig, ...more });
    return (await create()).body.message as string;
  };

  it('because nobody listens', async () => {
    const vacant = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => vacant.once('listening', resolve));
    const { port } = vacant.address() as net.AddressInfo;
    await new Promise((resolve) => vacant.close(resolve));
    const message = await messageWith({ url: `https://127.0.0.1:${port}/a`, caBundle: await caBundle() });
    expect(message).toContain(
      `Post "https://127.0.0.1:${port}/a?timeout=1s": dial tcp 127.0.0.1:${port}: connect: connection refused`,
    );
  });

  it('because nobody vouches for it', async () => {
    const { other } = await certificates();
    expect(await messageWith({ url: webhook.url, caBundle: bundle(pemOf(other)) })).toContain(
      'x509: certificate signed by unknown authority',
    );
    expect(webhook.received).toHaveLength(0);
  });

  it('because the host’s own roots do not know it', async () => {
    expect(await messageWith({ url: webhook.url })).toContain('x509: certificate signed by unknown authority');
  });

  it('because it is another one', async () => {
    const url = `https://127.0.0.2:${webhook.port}/`;
    const elsewhere = await startTestWebhook(() => ({}), {});
    ends.push(() => elsewhere.close());
    const message = await messageWith({ url, caBundle: await caBundle() });
    expect(message).toMatch(/not valid for|connection refused/);
  });

  it('because its caBundle holds no certificate', async () => {
    expect(await messageWith({ url: webhook.url, caBundle: bundle('garbage') })).toContain(
      'unable to load root certificates',
    );
  });

  it('because its service does not exist, or has no endpoints', async () => {
    const service = { namespace: 'default', name: 'hook' };
    expect(await messageWith({ service })).toContain(
      'Post "https://hook.default.svc:443/?timeout=1s": service "hook" not found',
    );
    await endAll();
    await server.post('/api/v1/namespaces/default/services', {
      metadata: { name: 'hook' },
      spec: { ports: [{ port: 443 }] },
    });
    expect(await messageWith({ service })).toContain('no endpoints available for service "hook"');
  });

  it('is reached through the endpoints of its service, under the name of the service', async () => {
    // Written past validation, which wants no loopback addresses there.
    const subsets = [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ port: webhook.port }] }];
    const metadata = { name: 'hook', namespace: 'default' };
    await server.store.create('/endpoints/default/hook', { kind: 'Endpoints', apiVersion: 'v1', metadata, subsets });
    await installed({
      clientConfig: { service: { namespace: 'default', name: 'hook', path: '/deep' }, caBundle: await caBundle() },
    });
    expect((await create()).status).toBe(201);
    expect(webhook.headers.at(-1)?.host).toBe('hook.default.svc');
  });

  it('is reached at the name that an ExternalName stands for, under the name of the service', async () => {
    await server.delete('/api/v1/namespaces/default/services/hook');
    const spec = { type: 'ExternalName', externalName: 'localhost' };
    await server.post('/api/v1/namespaces/default/services', { metadata: { name: 'hook' }, spec });
    await installed({
      clientConfig: { service: { namespace: 'default', name: 'hook', port: webhook.port }, caBundle: await caBundle() },
    });
    expect((await create()).status).toBe(201);
  });
});

describe('who writes a configuration does not read from places that only the server reaches', () => {
  const secret = 'hunter2';
  it.each<[what: string, respond: TestWebhook['respond']]>([
    ['in a page', (_, response) => void response.end(`<html>${secret}</html>`)],
    ['in JSON', (_, response) => void response.end(JSON.stringify({ password: secret, list: [secret] }))],
    ['in what looks like a review', (_, response) => void response.end(JSON.stringify({ response: { x: secret } }))],
    ['in a refusal', (_, response) => void response.writeHead(401, secret, { 'www-authenticate': secret }).end(secret)],
    ['in a failure', (_, response) => void response.writeHead(500).end(JSON.stringify({ message: secret }))],
    ['behind a redirection', (_, response) => void response.writeHead(302, { location: `/${secret}` }).end()],
  ])('what they say stays with it: %s', async (_, respond) => {
    webhook.respond = respond;
    for (const kind of ['validating', 'mutating'] as const) {
      await installed({}, kind);
      const { status, text } = await create();
      expect(status).toBe(500);
      expect(text).not.toContain(secret);
      await endAll();
    }
  });

  it('and to one that speaks without TLS nothing is said', async () => {
    const heard: Buffer[] = [];
    const plain = net.createServer((socket) => socket.on('data', (chunk) => heard.push(chunk)).end('220 inner\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    ends.push(async () => void plain.close());
    const { port } = plain.address() as net.AddressInfo;
    await installed({ clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: await caBundle() } });
    const { status, text } = await create();
    expect(status).toBe(500);
    expect(text).not.toContain('inner');
    // The beginning of a handshake, and no review.
    expect(Buffer.concat(heard).toString('latin1')).not.toContain('AdmissionReview');
  });
});

describe('calls', () => {
  it('share a connection that is kept', async () => {
    const own = await startTestWebhook();
    ends.push(() => own.close());
    ends.push(await install(server, 'validating', [await hook(own)]));
    for (let i = 0; i < 5; i++) expect((await create()).status).toBe(201);
    expect(own.received).toHaveLength(5);
    expect(own.connections).toBe(1);
  });

  it('survive that the webhook closes idle connections', async () => {
    const own = await startTestWebhook();
    ends.push(() => own.close());
    ends.push(await install(server, 'validating', [await hook(own)]));
    own.respond = (_, response) => {
      setImmediate(() => response.socket?.destroy());
      return {};
    };
    for (let i = 0; i < 10; i++) expect((await create()).status).toBe(201);
  });

  it('of a webhook that makes such objects itself end', async () => {
    let made = 0;
    webhook.respond = async () => {
      const inner = made++ < 30 ? await server.post(`${configMaps}?dryRun=All`, map(`inner-${made}`)) : { status: 201 };
      return { allowed: inner.status === 201 };
    };
    await installed({ timeoutSeconds: 5 });
    expect((await create()).status).toBe(201);
    expect(made).toBe(31);
  });

  it('of a webhook that calls itself without end fail in time, and the server goes on', async () => {
    webhook.respond = async () => {
      const { status } = await server.post(`${configMaps}?dryRun=All`, map('inner'));
      return { allowed: status === 201 };
    };
    await installed({ timeoutSeconds: 1 });
    const before = performance.now();
    expect((await create()).status).toBeGreaterThanOrEqual(400);
    expect(performance.now() - before).toBeLessThan(5000);
    webhook.respond = () => ({ allowed: false });
    await endAll();
    expect((await create()).status).toBe(201);
  });

  it('of a webhook that changes the very object it is asked about do not block it', async () => {
    const name = `map-${count++}`;
    await server.post(configMaps, map(name, { a: '1' }));
    let depth = 0;
    webhook.respond = async ({ request }) => {
      if (request.operation === 'UPDATE' && depth++ === 0) {
        await server.patch(`${configMaps}/${name}`, { data: { inner: 'yes' } }, 'application/merge-patch+json');
      }
      return {};
    };
    await installed({ timeoutSeconds: 10 }, 'mutating');
    const { status, body } = await server.patch(
      `${configMaps}/${name}`,
      { data: { outer: 'yes' } },
      'application/merge-patch+json',
    );
    expect(status).toBe(200);
    expect(body.data).toEqual({ a: '1', inner: 'yes', outer: 'yes' });
  });

  it('show the credentials that the administrator gave', async () => {
    expect(webhook.headers.every(({ authorization }) => authorization === undefined)).toBe(true);
  });
});

describe('what is counted', () => {
  it('are rejections, by who, what and why, with codes up to 600', async () => {
    const own = await startTestServer();
    ends.push(() => own.stop());
    const scoped = { objectSelector: { matchLabels: { counted: 'yes' } }, timeoutSeconds: 1 };
    await install(own, 'validating', [await hook(webhook, { ...scoped, name: 'strict.example.com' })], 'v');
    await install(
      own,
      'mutating',
      [await hook(webhook, { ...scoped, name: 'lax.example.com', failurePolicy: 'Ignore' })],
      'm',
    );
    const post = () => own.post(configMaps, map('counted', { a: '1' }, { labels: { counted: 'yes' } }));
    webhook.respond = () => ({ allowed: false, status: { code: 700 } });
    await post();
    let asked = 0;
    webhook.respond = (_, response) => (asked++ === 0 ? {} : void response.writeHead(500).end());
    await post();
    webhook.respond = () => patchOf({ op: 'remove', path: '/none' });
    await post();
    webhook.respond = (_, response) => void response.writeHead(500).end();
    await post();
    const { text } = await own.get('/metrics');
    const lines = text
      .split('\n')
      .filter((line) => /^apiserver_admission_webhook_(?:rejection|fail_open)_count/.test(line));
    expect(lines.sort()).toEqual([
      'apiserver_admission_webhook_fail_open_count{name="lax.example.com",type="admit"} 1',
      'apiserver_admission_webhook_rejection_count{name="lax.example.com",operation="CREATE",type="admit",error_type="apiserver_internal_error",rejection_code="0"} 1',
      'apiserver_admission_webhook_rejection_count{name="lax.example.com",operation="CREATE",type="admit",error_type="no_error",rejection_code="600"} 1',
      'apiserver_admission_webhook_rejection_count{name="strict.example.com",operation="CREATE",type="validating",error_type="calling_webhook_error",rejection_code="0"} 2',
    ]);
    expect(text).toContain('apiserver_admission_webhook_admission_duration_seconds_count{');
  });
});

it('a client certificate is shown where one is configured', async () => {
  const { authority, server: issued } = await certificates();
  const seen: unknown[] = [];
  const own = await startTestWebhook(
    (_, response) => {
      seen.push((response.socket as import('node:tls').TLSSocket).getPeerCertificate().subject?.CN);
      return {};
    },
    { requestCert: true, ca: pemOf(authority), rejectUnauthorized: false },
  );
  ends.push(() => own.close());
  const folder = temporaryFolder(onTestFinished);
  const user = {
    'client-certificate-data': bundle(pemOf(issued)),
    'client-key-data': bundle(keyOf(issued)),
    token: 'tok',
  };
  writeFileSync(`${folder}/users`, JSON.stringify({ users: [{ name: `127.0.0.1:${own.port}`, user }] }));
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'WebhookAdmissionConfiguration',
    kubeConfigFile: 'users',
  };
  const plugins = [{ name: 'ValidatingAdmissionWebhook', configuration }];
  writeFileSync(
    `${folder}/config`,
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }),
  );
  const configured = await startTestServer({ admissionControlConfigFile: `${folder}/config` });
  ends.push(() => configured.stop());
  await install(configured, 'validating', [await hook(own)]);
  await install(configured, 'mutating', [await hook(own)]);
  expect((await configured.post(configMaps, map('shown'))).status).toBe(201);
  expect(seen).toEqual([undefined, 'webhook']);
  expect(own.headers.map(({ authorization }) => authorization)).toEqual([undefined, 'Bearer tok']);
});
