import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../test-server.fixture.ts';

const merge = 'application/merge-patch+json';
const namespaces = '/api/v1/namespaces';
const services = `${namespaces}/default/services`;
const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const refusals = 1000;
const atOnce = 50;

let server: TestServer;
/** How many Services of type NodePort there is room for. */
let room: number;
beforeAll(async () => {
  server = await startTestServer({ serviceClusterIpRange: '10.0.0.0/27', serviceNodePortRange: '30000-30019' });
  room = await fill();
  expect(room).toBe(20);
});
afterAll(() => server.stop());

const exposed = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec },
});

/** Creates Services until there is room for no more, and takes them away again. */
async function fill(): Promise<number> {
  let made = 0;
  while ((await server.post(services, exposed(`room-${made}`))).status === 201) made++;
  for (let i = 0; i < made; i++) await server.delete(`${services}/room-${i}`);
  return made;
}

/** Does something a thousand times, fifty at once, and says how often each code came. */
async function often(act: (i: number) => Promise<number>): Promise<Record<number, number>> {
  const codes: Record<number, number> = {};
  let next = 0;
  const work = async () => {
    while (next < refusals) {
      const code = await act(next++);
      codes[code] = (codes[code] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return codes;
}

const creating =
  (spec: object = {}, path = services, name = (i: number) => `s-${i}`) =>
  async (i: number) =>
    (await server.post(path, exposed(name(i), spec))).status;

const failing = (url: string) => ({
  metadata: { name: 'judge' },
  webhooks: [
    {
      name: 'judge.example.com',
      clientConfig: { url },
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['services'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 1,
    },
  ],
});

describe('a thousand refused Services, fifty at once, leave every address and port free', () => {
  it('when they break a rule of the kind', async () => {
    expect(await often(creating({ sessionAffinity: 'Nobody' }))).toEqual({ 422: refusals });
    expect(await often(creating({ ports: [{ port: 80, nodePort: 29_999 }] }))).toEqual({ 422: refusals });
    expect(await fill()).toBe(room);
  });

  it('when the name is taken', async () => {
    await server.post(services, exposed('same'));
    expect(await often(creating({}, services, () => 'same'))).toEqual({ 409: refusals });
    await server.delete(`${services}/same`);
    expect(await fill()).toBe(room);
  });

  it('when they are no more than a dry run', async () => {
    expect(await often(creating({}, `${services}?dryRun=All`))).toEqual({ 201: refusals });
    expect(await fill()).toBe(room);
  });

  it('when a quota is used up', async () => {
    const base = `${namespaces}/full`;
    await server.post(namespaces, { metadata: { name: 'full' } });
    await server.post(`${base}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { services: '0' } } });
    const status = { hard: { services: '0' }, used: { services: '0' } };
    await server.patch(`${base}/resourcequotas/q/status`, { status }, merge);
    expect(await often(creating({}, `${base}/services`))).toEqual({ 403: refusals });
    expect(await fill()).toBe(room);
  });

  it('when a webhook cannot be asked', async () => {
    await server.post(webhooks, failing('https://127.0.0.1:1/'));
    expect(await often(creating())).toEqual({ 500: refusals });
    await server.delete(`${webhooks}/judge`);
    expect(await fill()).toBe(room);
  });

  it('when they are changes of one that is there', async () => {
    await server.post(services, { metadata: { name: 'one' }, spec: { ports: [{ port: 80 }] } });
    const change = { spec: { type: 'NodePort', sessionAffinity: 'Nobody' } };
    const codes = await often(async () => (await server.patch(`${services}/one`, change, merge)).status);
    expect(codes).toEqual({ 422: refusals });
    await server.delete(`${services}/one`);
    expect(await fill()).toBe(room);
  });
});

it('many who want one name at once get one address, and none that another has', async () => {
  for (let round = 0; round < 20; round++) {
    const same = Array.from({ length: atOnce }, () => server.post(services, exposed('same')));
    const others = Array.from({ length: 5 }, (_, i) => server.post(services, exposed(`other-${i}`)));
    const made = [...(await Promise.all(same)), ...(await Promise.all(others))].filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    const held = (await server.get(services)).body.items.map(
      ({ spec }: { spec: { clusterIP: string } }) => spec.clusterIP,
    );
    expect(new Set(held).size).toBe(held.length);
    for (const { body } of made) await server.delete(`${services}/${body.metadata.name}`);
  }
  expect(await fill()).toBe(room);
});

describe('clients that hang up while a webhook thinks', () => {
  let deaf: Server;
  beforeAll(async () => {
    deaf = createServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => deaf.close());

  it('leave nothing taken', async () => {
    const { port } = deaf.address() as { port: number };
    const base = `${namespaces}/leavers`;
    await server.post(namespaces, { metadata: { name: 'leavers' } });
    await server.post(`${base}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { services: '9' } } });
    const status = { hard: { services: '9' }, used: { services: '0' } };
    await server.patch(`${base}/resourcequotas/q/status`, { status }, merge);
    await server.post(webhooks, failing(`https://127.0.0.1:${port}/`));
    const leaving = new AbortController();
    const gone = Array.from({ length: 15 }, (_, i) =>
      server
        .call('POST', `${base}/services`, { body: exposed(`s-${i}`), signal: leaving.signal })
        .then(() => 'answered')
        .catch(() => 'left'),
    );
    const asking = () => new Promise<number>((resolve) => deaf.getConnections((_, count) => resolve(count)));
    await expect.poll(asking).toBeGreaterThan(0);
    leaving.abort();
    expect(new Set(await Promise.all(gone))).toEqual(new Set(['left']));
    await server.delete(`${webhooks}/judge`);
    await expect.poll(fill, { interval: 100 }).toBe(room);
    expect((await server.get(`${base}/resourcequotas/q`)).body.status.used).toEqual({ services: '0' });
    expect((await server.get(`${base}/services`)).body.items).toEqual([]);
  });
});

it('a thousand secrets of one name cost the quota one', async () => {
  const base = `${namespaces}/counted`;
  await server.post(namespaces, { metadata: { name: 'counted' } });
  await server.post(`${base}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { secrets: '2000' } } });
  const status = { hard: { secrets: '2000' }, used: { secrets: '0' } };
  await server.patch(`${base}/resourcequotas/q/status`, { status }, merge);
  const codes = await often(async () => (await server.post(`${base}/secrets`, { metadata: { name: 'same' } })).status);
  expect(codes).toEqual({ 201: 1, 409: refusals - 1 });
  expect((await server.get(`${base}/resourcequotas/q`)).body.status.used).toEqual({ secrets: '1' });
});
