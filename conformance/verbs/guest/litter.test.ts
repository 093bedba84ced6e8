import { Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer, type Whim } from '../../fake-server.fixture.ts';
import type { Client } from '../client.ts';
import { makeClient } from '../wire/http-client.ts';
import { throughDoor } from './door.ts';
import { type Litter, lastFinalizers, makeLitter } from './litter.ts';
import { allOf } from './permit.ts';

let fake: FakeServer;
const agent = new Agent();

afterEach(() => fake.stop());

interface SetUp {
  readonly litter: Litter;
  /** Somebody else than who cleans up. */
  readonly user: Client;
  readonly stop: () => void;
}

async function setUp(parts: { whim?: Whim; keep?: boolean; finalize?: boolean } = {}): Promise<SetUp> {
  fake = await startFakeServer(parts.whim);
  const clientOf = (userAgent: string) =>
    makeClient({
      target: { url: fake.url },
      agents: { own: agent, anonymous: agent },
      userAgent,
      record: () => {},
      limit: 1_000,
    });
  const litter = makeLitter(clientOf('admin'), { keep: parts.keep ?? false, finalize: parts.finalize ?? false });
  const stopped = new AbortController();
  const door = { permit: allOf('r1'), owns: litter.owns, made: litter.made, stopped: stopped.signal };
  return { litter, user: throughDoor(clientOf('user'), door), stop: () => stopped.abort() };
}

const named = (name: string, more: object = {}) => ({ body: { metadata: { name, ...more } } });
const deletes = () => fake.requests.filter((line) => line.startsWith('DELETE'));
const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const system = '/api/v1/namespaces/kube-system/secrets';

test('all that was made goes, the newest first, by the administrator', async () => {
  const { litter, user } = await setUp();
  await user.send('POST', '/api/v1/namespaces', named('ours'));
  await user.send('POST', '/api/v1/namespaces/ours/secrets', named('one'));
  await user.send('POST', '/api/v1/namespaces/ours/pods', named('two'));
  expect(await litter.remove()).toEqual([]);
  expect(deletes()).toEqual(['ours/pods', 'ours/secrets', 'ours'].map((path) => `DELETE /api/v1/namespaces/${path}`));
  expect(fake.headersSeen.slice(-3).map((headers) => headers['user-agent'])).toEqual(['admin', 'admin', 'admin']);
});

test('what has nothing to do with each other goes at once, and what governs others before and after them', async () => {
  const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const waiting: (() => void)[] = [];
  const whim: Whim = ({ method, path }, response) => {
    if (method !== 'DELETE') return false;
    waiting.push(() => response.writeHead(200).end('{}'));
    if (path.startsWith(hooks)) waiting.pop()?.();
    return true;
  };
  const { litter, user } = await setUp({ whim });
  for (const name of ['a', 'b', 'c']) await user.send('POST', roles, named(name));
  await user.send('POST', hooks, named('refuses'));
  await user.send('POST', system, named('two'));
  const removal = litter.remove();
  await expect.poll(deletes).toEqual([`DELETE ${system}/two`]);
  waiting.pop()?.();
  await expect.poll(() => waiting.length).toBe(3);
  expect(deletes()[1]).toBe(`DELETE ${hooks}/refuses`);
  expect(deletes().slice(2).sort()).toEqual(['a', 'b', 'c'].map((name) => `DELETE ${roles}/${name}`));
  for (const answer of waiting) answer();
  expect(await removal).toEqual([]);
});

test('in a namespace of the run all objects of a kind go at once', async () => {
  const { litter, user } = await setUp();
  await user.send('POST', '/api/v1/namespaces', named('ours'));
  for (const name of ['a', 'b']) await user.send('POST', '/api/v1/namespaces/ours/secrets', named(name));
  await litter.remove();
  expect(deletes()).toEqual(['DELETE /api/v1/namespaces/ours/secrets', 'DELETE /api/v1/namespaces/ours']);
});

test('what is only rehearsed, refused, or made by a subresource leaves nothing to remove', async () => {
  const { litter, user } = await setUp();
  await user.send('POST', roles, { ...named('one'), query: { dryRun: 'All' } });
  await user.send('POST', roles, { body: {} });
  await user.send('POST', '/api/v1/namespaces/x/serviceaccounts/a/token', named('token'));
  await litter.remove();
  expect(deletes()).toEqual([]);
});

test('nothing is waited for, neither dependents nor an agent', async () => {
  const bodies: unknown[] = [];
  const whim: Whim = ({ method, body }) => {
    if (method === 'DELETE') bodies.push(body);
    return false;
  };
  const { litter, user } = await setUp({ whim });
  await user.send('POST', '/api/v1/namespaces', named('ours'));
  await user.send('POST', '/api/v1/namespaces/ours/pods', named('a'));
  await user.send('POST', system, named('b'));
  await litter.remove();
  expect(bodies).toHaveLength(3);
  for (const body of bodies) expect(body).toMatchObject({ propagationPolicy: 'Background', gracePeriodSeconds: 0 });
});

test('finalizers are taken away before the object can be', async () => {
  const { litter, user } = await setUp();
  await user.send('POST', roles, named('held', { finalizers: ['example.com/one'] }));
  await litter.remove();
  expect(fake.requests.slice(-2)).toEqual([`PATCH ${roles}/held`, `DELETE ${roles}/held`]);
});

test('a namespace is finalized by us where nobody else does', async () => {
  const { litter, user } = await setUp({ finalize: true });
  await user.send('POST', '/api/v1/namespaces', named('ours'));
  await litter.remove();
  expect(fake.requests.slice(-2)).toEqual(['DELETE /api/v1/namespaces/ours', 'PUT /api/v1/namespaces/ours/finalize']);
});

test('a finalizer of ours is taken off a namespace that its controller empties', async () => {
  const answer = JSON.stringify({ kind: 'Namespace', spec: { finalizers: ['kubernetes', 'example.com/one'] } });
  const whim: Whim = ({ method }, response) => method === 'DELETE' && Boolean(response.writeHead(200).end(answer));
  const { litter, user } = await setUp({ whim });
  await user.send('POST', '/api/v1/namespaces', named('ours'));
  await litter.remove();
  expect(fake.requests.slice(-2)).toEqual(['DELETE /api/v1/namespaces/ours', 'PUT /api/v1/namespaces/ours/finalize']);
});

test.each([
  [['kubernetes'], undefined],
  [['kubernetes', 'example.com/one'], ['kubernetes']],
  [['example.com/one'], ['kubernetes']],
  [undefined, undefined],
])('with a controller a namespace with %j is left with %j', (finalizers, left) => {
  expect(lastFinalizers({ spec: { finalizers } }, false)).toEqual(left);
  expect(lastFinalizers({ spec: { finalizers } }, true)).toEqual([]);
});

test('one without any is handed to its controller, which overlooks it', () => {
  const metadata = { deletionTimestamp: '2024-05-06T07:08:09Z' };
  expect(lastFinalizers({ metadata, spec: {} }, false)).toEqual(['kubernetes']);
});

test('what would not go is told, and the rest goes on', async () => {
  const whim: Whim = ({ method, path }, response) =>
    method === 'DELETE' && path.endsWith('/two') && Boolean(response.writeHead(403).end('{"message":"no"}'));
  const { litter, user } = await setUp({ whim });
  await user.send('POST', roles, named('one'));
  await user.send('POST', roles, named('two'));
  litter.later(() => Promise.reject(new Error('a step that fails')));
  expect(await litter.remove()).toEqual(['a step that fails', `${roles}/two: 403 no`]);
  expect(deletes()).toHaveLength(2);
});

test('everything stays when that is asked for', async () => {
  const { litter, user } = await setUp({ keep: true });
  await user.send('POST', roles, named('one'));
  await litter.remove();
  expect(deletes()).toEqual([]);
});

test('all that is made carries the label of the run', async () => {
  const { user } = await setUp();
  await user.send('POST', roles, named('one', { labels: { a: 'b' } }));
  expect(fake.objects.get(`${roles}/one`)?.metadata.labels).toEqual({ a: 'b', 'touchstone/run': 'r1' });
});

test('after a stop nothing passes but the clean-up, and a write under way is finished and known', async () => {
  let finish = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const whim: Whim = ({ method, body }, response) => {
    if (method !== 'POST') return false;
    finish();
    setTimeout(() => response.writeHead(201).end(JSON.stringify(body)), 50);
    return true;
  };
  const { litter, user, stop } = await setUp({ whim });
  const write = user.send('POST', roles, named('late'));
  await arrived;
  stop();
  await expect(user.send('GET', roles)).rejects.toThrow('the rule was stopped');
  expect((await write).status).toBe(201);
  await litter.remove();
  expect(deletes()).toEqual([`DELETE ${roles}/late`]);
});

test('what turns up after the clean-up is removed at once', async () => {
  const { litter, user } = await setUp();
  await litter.remove();
  await user.send('POST', roles, named('late'));
  await expect.poll(deletes).toEqual([`DELETE ${roles}/late`]);
});
