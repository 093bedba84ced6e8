import { Agent } from 'undici';
import { afterAll, expect, it } from 'vitest';
import { openPlayedBackend, wishHeader } from './backend.ts';

const backend = await openPlayedBackend('me', '127.0.0.1');
const { port, caBundle } = backend.place;
const trusting = new Agent({
  connect: { ca: Buffer.from(caBundle, 'base64').toString(), servername: 'backend.me-1.svc' },
});

afterAll(async () => {
  await trusting.close();
  backend.close();
});

const ask = (path: string, headers: Record<string, string> = {}, body?: string) =>
  trusting.request({
    ...{ origin: `https://127.0.0.1:${port}`, path, method: body === undefined ? 'GET' : 'POST', headers },
    ...(body === undefined ? {} : { body }),
  });
const wish = (answer: object) => ({ [wishHeader]: JSON.stringify(answer) });

it('says what it has, of which controllers do nothing, and takes nobody for the play who does not say so', async () => {
  const { body } = await ask('/apis/me.backend.example/v1');
  expect(await body.json()).toMatchObject({ groupVersion: 'me.backend.example/v1', resources: [{ verbs: ['get'] }] });
  expect((await ask('/openapi/v2')).statusCode).toBe(404);
  expect(backend.heard()).toEqual([]);
});

it('answers as it is asked to, or with what it was asked', async () => {
  const answer = await ask('/x', wish({ status: 418, headers: { 'retry-after': '1' }, body: 'ab', times: 2 }));
  expect([answer.statusCode, answer.headers['retry-after'], await answer.body.text()]).toEqual([418, '1', 'abab']);
  const echo = await ask('/x?b=1&a=2', wish({}), 'body');
  expect(await echo.body.json()).toMatchObject({
    method: 'POST',
    path: '/x',
    query: [
      ['a', '2'],
      ['b', '1'],
    ],
    size: 4,
  });
  await expect(ask('/x', wish({ breaks: true }))).rejects.toThrow();
});

it('tells what it was asked, for whom, and whether somebody gave credentials away', async () => {
  backend.heard();
  const headers = {
    'x-remote-user': 'jane',
    'x-remote-group': 'one',
    authorization: 'secret',
    'x-own-a': 'b',
  };
  await (await ask('/x', { ...wish({}), ...headers }, 'body')).body.text();
  expect(backend.heard()).toEqual([
    {
      ...{ method: 'POST', path: '/x', query: [], body: 'body', username: 'jane', groups: ['one'] },
      ...{ hasCredentials: true, headers: { 'x-own-a': ['b'] } },
    },
  ]);
});

it('outlives what nobody can answer', async () => {
  expect((await ask('/x', { [wishHeader]: 'no JSON' })).statusCode).toBe(400);
  expect((await ask('/x', wish({ status: 5 }))).statusCode).toBe(500);
});
