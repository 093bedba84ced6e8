import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MovableClock } from '../base/time/movable-clock.ts';
import { configMap, configMaps, startTestServer, type TestServer } from './test-server.fixture.ts';

let server: TestServer;
let clock: MovableClock;

beforeEach(async () => {
  clock = new MovableClock();
  server = await startTestServer({
    clock,
    faults: true,
    controllers: ['namespace', 'ttl-after-finished', 'garbagecollector'],
  });
});
afterEach(() => server.stop());

/** Asks until there is no such object any more. */
const gone = (path: string) => expect.poll(async () => (await server.get(path)).status).toBe(404);

async function eventsOf(path: string) {
  const events: unknown[] = [];
  for await (const event of server.watch(path)) events.push(event);
  return events;
}

describe('time that is moved', () => {
  it('ends the life of Events', async () => {
    const events = '/api/v1/namespaces/default/events';
    const involvedObject = { kind: 'Pod', namespace: 'default', name: 'x' };
    expect((await server.post(events, { metadata: { name: 'x' }, involvedObject })).status).toBe(201);
    await clock.advance('59m');
    expect((await server.get(`${events}/x`)).status).toBe(200);
    await clock.advance('2m');
    await gone(`${events}/x`);
  });

  it('lets go of history: pages and watches of old versions answer 410', async () => {
    for (const name of ['a', 'b']) await server.post(configMaps, configMap(name));
    const { metadata } = (await server.get(`${configMaps}?limit=1`)).body;
    await server.post(configMaps, configMap('later'));
    await clock.advance('4m');
    expect((await server.get(`${configMaps}?limit=1&continue=${metadata.continue}`)).status).toBe(200);
    await clock.advance('11m');
    expect((await server.get(`${configMaps}?limit=1&continue=${metadata.continue}`)).status).toBe(410);
    const [first] = await eventsOf(`${configMaps}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    expect(first).toMatchObject({ type: 'ERROR', object: { code: 410 } });
  });

  it('ends tokens', async () => {
    await server.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
    const { body } = await server.post('/api/v1/namespaces/default/serviceaccounts/robot/token', {
      spec: { expirationSeconds: 600 },
    });
    const headers = { authorization: `Bearer ${body.status.token}` };
    const asked = async () => (await server.get('/api', headers)).status;
    await clock.advance('9m');
    expect(await asked()).toBe(200);
    await clock.advance('2m');
    expect(await asked()).toBe(401);
  });

  it('ends watches whose time is over, in good order', async () => {
    const { body } = await server.get(configMaps);
    const path = `${configMaps}?watch=true&timeoutSeconds=600&resourceVersion=${body.metadata.resourceVersion}`;
    const ended = eventsOf(path);
    await expect.poll(async () => (await server.get('/metrics')).text).toMatch(/longrunning_requests\{.*\} [1-9]/);
    await clock.advance('601s');
    expect(await ended).toEqual([]);
  });

  it('moves the controllers beside the server too', async () => {
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    await server.post(jobs, { metadata: { name: 'old' }, spec: { ttlSecondsAfterFinished: 3600, template } });
    const now = new Date(clock.now()).toISOString();
    const conditions = [{ type: 'Complete', status: 'True', lastTransitionTime: now }];
    const patched = await server.patch(
      `${jobs}/old/status`,
      { status: { conditions, startTime: now, completionTime: now, succeeded: 1 } },
      'application/merge-patch+json',
    );
    expect(patched.status).toBe(200);
    await server.settle();
    await clock.advance('59m');
    await server.settle();
    expect((await server.get(`${jobs}/old`)).status).toBe(200);
    await clock.advance('2m');
    await gone(`${jobs}/old`);
  });

  it('shows in what is made', async () => {
    const before = Date.now();
    await clock.advance('1000h');
    const { body } = await server.post(configMaps, configMap('new'));
    expect(Date.parse(body.metadata.creationTimestamp)).toBeGreaterThanOrEqual(before + 3_600_000_000 - 1000);
  });
});

describe('time that is moved over HTTP', () => {
  const path = '/touchstone/clock';

  it('is told, moved and made wrong', async () => {
    expect((await server.get(path)).body).toMatchObject({ advanced: 0, skew: 0 });
    const { status, body } = await server.post(path, { advance: '1h30m', skew: '-10m' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ advanced: 5_400_000, skew: -600_000 });
    expect(Math.abs(Date.parse(body.now) - Date.now() - 4_800_000)).toBeLessThan(5000);
  });

  it.each([[{}], [{ advance: '-1h' }], [{ advance: 'soon' }], [{ wait: '1h' }], [null], ['{'], [[]]])(
    'refuses %j',
    async (body) => {
      expect((await server.post(path, body)).status).toBe(400);
      expect((await server.get(path)).body).toMatchObject({ advanced: 0, skew: 0 });
    },
  );

  it('is for administrators, by GET and POST', async () => {
    expect((await server.call('DELETE', path)).status).toBe(405);
    expect((await server.call('GET', path, { headers: { authorization: '' } })).status).toBe(403);
  });
});
