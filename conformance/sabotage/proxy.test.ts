import { Agent, request } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer, type Whim } from '../fake-server.fixture.ts';
import { startDeadServers } from './dead-servers.ts';
import { startProxy, type TargetProxy } from './proxy.ts';
import type { Sabotage } from './sabotage.ts';
import { answerStatus, notFound, replaceIn, swallowEvent } from './transforms.ts';

let fake: FakeServer;
let proxy: TargetProxy;
const agent = new Agent();

afterEach(async () => {
  await proxy.stop();
  await fake.stop();
});

async function through(sabotage: Sabotage, whim?: Whim): Promise<string> {
  fake = await startFakeServer(whim);
  proxy = await startProxy({ url: fake.url, token: 'T' }, agent, sabotage);
  return proxy.target.url;
}

test('passes requests and answers on', async () => {
  const url = await through(answerStatus(500, { method: 'PUT' }));
  const headers = { 'content-type': 'application/json', 'impersonate-group': ['a', 'b'] };
  const created = await request(`${url}/api/v1/things?x=%2Fy`, {
    method: 'POST',
    headers,
    body: '{"metadata":{"name":"a"}}',
  });
  expect(created.statusCode).toBe(201);
  expect(await created.body.json()).toMatchObject({ metadata: { name: 'a' } });
  expect(fake.requests).toEqual(['POST /api/v1/things?x=%2Fy']);
  expect(fake.headersSeen[0]).toMatchObject({ 'content-type': 'application/json', 'impersonate-group': 'a, b' });
});

test('keeps the credentials of the target for the suite', async () => {
  await through(notFound());
  expect(proxy.target.token).toBe('T');
});

test('spoils what it is told to spoil, and gets its length right', async () => {
  const url = await through(replaceIn('kind', { with: 'SomethingMuchLonger' }));
  const answer = await request(`${url}/api/v1/things`);
  expect(await answer.body.json()).toMatchObject({ kind: 'SomethingMuchLonger' });
});

test('answers by itself without asking the target', async () => {
  const url = await through(notFound());
  const answer = await request(`${url}/anything`);
  expect(answer.statusCode).toBe(404);
  await answer.body.dump();
  expect(fake.requests).toEqual([]);
});

test('relays a watch event by event, without those it swallows', async () => {
  const url = await through(swallowEvent('MODIFIED'), (_, response) => {
    response.writeHead(200);
    response.write('{"type":"ADDED","object":{}}\n{"type":"MODI');
    response.write('FIED","object":{}}\nno JSON\n');
    return Boolean(response.end());
  });
  const answer = await request(`${url}/api/v1/things?watch=1`);
  expect(await answer.body.text()).toBe('{"type":"ADDED","object":{}}\nno JSON\n');
});

test('breaks off when the target breaks off', async () => {
  const url = await through(swallowEvent('MODIFIED'), (_, response) => Boolean(response.destroy()));
  await expect(request(`${url}/api/v1/things`)).rejects.toThrow();
});

test('the dead servers are dead in their three ways', async () => {
  await through(notFound());
  const dead = await startDeadServers();
  const [refusing, empty, missing] = dead;
  await expect(request(`${refusing?.url}/x`)).rejects.toThrow();
  const answers = await Promise.all(
    [empty, missing].map(async (server) => request(`${server?.url}/x`, { method: 'DELETE' })),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404]);
  expect(await answers[0]?.body.json()).toEqual({});
  await answers[1]?.body.dump();
  await Promise.all(dead.map((server) => server.stop()));
});
