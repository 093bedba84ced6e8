import { afterEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer, type Whim } from '../fake-server.fixture.ts';
import { allOf } from '../verbs/guest/permit.ts';
import { explore } from './capabilities.ts';

let fake: FakeServer | undefined;

afterEach(() => fake?.stop());

const allowed = { permit: allOf('test') };

type Response = Parameters<Whim>[1];

const answer = (response: Response, body: unknown, status = 200): boolean =>
  Boolean(response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)));

/** A server beside which all controllers run: it shows what they would have done. */
const controlled: Whim = ({ method, path, query, body }, response) => {
  if (path.endsWith('/serviceaccounts/default')) return answer(response, {});
  if (method !== 'GET') return answer(response, body ?? {}, method === 'POST' ? 201 : 200);
  if (path.endsWith('/endpointslices') && query.has('labelSelector')) return answer(response, { items: [{}] });
  if (/\/jobs\/[^/]+-0$/.test(path))
    return answer(response, { status: { conditions: [{ type: 'Suspended', status: 'True' }] } });
  if (/\/certificatesigningrequests\/[^/]+$/.test(path)) return answer(response, { status: { certificate: 'AAAA' } });
  return answer(response, {}, 404);
};

const found = ['endpointslice-controller', 'garbage-collector', 'job-controller', 'signer', 'token-cleaner'];

test('controllers are found by what they do, and what was made for that is taken away', async () => {
  fake = await startFakeServer(controlled);
  const { capabilities } = await explore({ url: fake.url }, { declared: [], ...allowed });
  expect(capabilities).toEqual(expect.arrayContaining(['controllers', 'ttl-controller', ...found]));
  const places = (method: string) =>
    fake?.requests.filter((request) => request.startsWith(method)).map((request) => request.split(' ')[1] ?? '') ?? [];
  expect(places('DELETE').length).toBe(7);
  expect(places('DELETE').at(-1)).toMatch(/^\/api\/v1\/namespaces\/touchstone-[a-z]{6}$/);
});

test('a controller that was declared is not looked for', async () => {
  fake = await startFakeServer(controlled);
  const { capabilities } = await explore({ url: fake.url }, { declared: ['token-cleaner'], ...allowed });
  expect(capabilities.filter((name) => name === 'token-cleaner')).toHaveLength(1);
  expect(fake.requests.filter((request) => request.includes('kube-system'))).toEqual([]);
});

test('where nothing can be made no controller is found, and an object that is not there proves nothing', async () => {
  fake = await startFakeServer((request, response) =>
    request.method === 'POST' ? answer(response, {}, 403) : controlled(request, response),
  );
  const { capabilities } = await explore({ url: fake.url }, { declared: [], ...allowed });
  expect([...capabilities].sort()).toEqual(['controllers', 'rights', 'webhooks']);
});

test('where no controller has made the default account none is looked for', async () => {
  fake = await startFakeServer((_, response) => answer(response, {}, 404));
  await explore({ url: fake.url }, { declared: [], ...allowed });
  expect(fake.requests.filter((request) => /^POST .*(jobs|namespaces)$/.test(request))).toEqual([]);
});
