import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { startServer } from '../../server/start.ts';
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts';
import type { Json } from '../verbs/client.ts';
import { allOf } from '../verbs/guest/permit.ts';
import { asking } from './inspect.ts';
import { whyOutOfReach } from './webhook-reach.ts';

const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const refused = 'failed calling webhook "reach.touchstone.example": connection refused';

let fake: FakeServer | undefined;

afterEach(() => fake?.stop());

const answer = (response: ServerResponse, code: number, message = ''): boolean =>
  Boolean(response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ message })));

test('a server that calls a webhook reaches it, and nothing is left', async () => {
  const server = await startServer();
  try {
    const { url, adminToken: token, certificateAuthority } = server;
    await asking({ url, token, certificateAuthority }, async (send) => {
      expect(await whyOutOfReach(send, allOf('test'))).toBeUndefined();
      expect((await send('GET', configurations)).body.items).toEqual([]);
      // No controller empties namespaces here.
      const { items } = (await send('GET', '/api/v1/namespaces?labelSelector=touchstone/run')).body;
      expect(items.map(({ status }: Json) => status.phase)).toEqual(['Terminating']);
    });
  } finally {
    await server.stop();
  }
});

test('who tries and does not get through says why, and what was made is removed', async () => {
  const removed: string[] = [];
  fake = await startFakeServer(({ method, path }, response) => {
    if (method === 'DELETE') removed.push(path);
    return path.endsWith('/configmaps') ? answer(response, 500, refused) : answer(response, 201);
  });
  expect(await asking({ url: fake.url }, (send) => whyOutOfReach(send, allOf('test')))).toBe(refused);
  expect(removed).toEqual([
    expect.stringMatching(/\/validatingwebhookconfigurations\/touchstone-\w+$/),
    expect.stringMatching(/^\/api\/v1\/namespaces\/touchstone-\w+$/),
  ]);
});

test.each([
  ['calls none', 201, ''],
  ['breaks on something else', 500, 'the disk is full'],
  ['takes no configuration', 403, 'no'],
])('a server that %s is left to the rules', async (_, code, message) => {
  fake = await startFakeServer((__, response) => answer(response, code, message));
  expect(await asking({ url: fake.url }, (send) => whyOutOfReach(send, allOf('test'), 400))).toBeUndefined();
});
