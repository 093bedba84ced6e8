import { Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts';
import { Collection } from './collection.ts';
import { kindPaths } from './kinds.ts';
import { merged } from './merged.ts';
import { makeClient } from './wire/http-client.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

let fake: FakeServer;
const agent = new Agent();

afterEach(() => fake.stop());

async function setUp(): Promise<{ secrets: Collection; clusterRoles: Collection; workspace: Workspace }> {
  fake = await startFakeServer();
  const client = makeClient({
    target: { url: fake.url },
    agents: { own: agent, anonymous: agent },
    userAgent: 'test',
    record: () => {},
    limit: 1_000,
  });
  const workspace = makeWorkspace(client, { later: () => undefined, closeLater: () => undefined });
  const of = (kind: 'secrets' | 'clusterRoles') =>
    new Collection({ at: kindPaths[kind], client, workspace, patience: 100 });
  return { secrets: of('secrets'), clusterRoles: of('clusterRoles'), workspace };
}

test('the namespace is made at the first need, and only once', async () => {
  const { secrets, workspace } = await setUp();
  expect(fake.requests).toEqual([]);
  await Promise.all([secrets.path(), secrets.path('a'), workspace.namespace()]);
  expect(fake.requests).toEqual(['POST /api/v1/namespaces']);
});

test('paths go by group, namespace, name and subresource', async () => {
  const { secrets, clusterRoles, workspace } = await setUp();
  const namespace = await workspace.namespace();
  expect(await secrets.path('a b', 'status')).toBe(`/api/v1/namespaces/${namespace}/secrets/a%20b/status`);
  expect(await secrets.in('other').path()).toBe('/api/v1/namespaces/other/secrets');
  expect(await clusterRoles.path('x')).toBe('/apis/rbac.authorization.k8s.io/v1/clusterroles/x');
  expect(secrets.everywhere).toBe('/api/v1/secrets');
});

test('methods named for HTTP give any answer, the others only success', async () => {
  const { secrets } = await setUp();
  expect((await secrets.get('none')).status).toBe(404);
  await expect(secrets.read('none')).rejects.toMatchObject({
    kind: 'preparation',
    message: 'could not read the Secret none: 404 NotFound',
  });
});

test('an answer that is not the object is no success', async () => {
  const { secrets } = await setUp();
  await fake.stop();
  fake = await startFakeServer();
  await expect(secrets.create()).rejects.toMatchObject({ kind: expect.stringMatching(/preparation|connection/) });
});

test('several objects have names in order', async () => {
  const { secrets } = await setUp();
  const names = (await secrets.createMany(11)).map(({ metadata }) => metadata.name);
  expect(names).toEqual([...names].sort());
  expect(names.at(-1)).toBe('item-10');
});

test('a fresh sample has a fresh name, unless one is given', async () => {
  const { secrets } = await setUp();
  expect(secrets.sample().metadata.name).not.toBe(secrets.sample().metadata.name);
  expect(secrets.sample({ metadata: { name: 'mine' } }).metadata.name).toBe('mine');
});

test.each([
  [{ a: 1, b: { c: 2 } }, { b: { d: 3 } }, { a: 1, b: { c: 2, d: 3 } }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [{ a: 1 }, { a: undefined }, {}],
  [{ a: { b: 1 } }, { a: null }, { a: null }],
  [undefined, { a: 1 }, { a: 1 }],
])('%j with %j over it is %j', (base, over, expected) => {
  expect(merged(base, over)).toEqual(expected);
});

test('a view by label asks only for what is marked, and keeps what was asked beside', async () => {
  const { secrets } = await setUp();
  const marked = secrets.with({ mark: 'm1' });
  expect(marked.sample().metadata.labels).toEqual({ 'touchstone/cell': 'm1' });
  const asked = () => decodeURIComponent(fake.requests.at(-1) ?? '');
  await marked.viewed('labels').getAll({ limit: 2, labelSelector: 'a=b' });
  expect(asked()).toMatch(/\/namespaces\/[^/]+\/secrets\?limit=2&labelSelector=a=b,touchstone\/cell=m1$/);
  await marked.viewed('everywhere').getAll('limit=2');
  expect(asked()).toBe('GET /api/v1/secrets?limit=2&labelSelector=touchstone/cell=m1');
  await marked.viewed('fields').getAll();
  expect(asked()).toMatch(/^GET \/api\/v1\/secrets\?fieldSelector=metadata\.namespace=touchstone-/);
});

test('kinds without a namespace are never listed as a whole: others have objects there', async () => {
  const { clusterRoles } = await setUp();
  await clusterRoles.with({ mark: 'm1' }).viewed('everywhere').getAll();
  expect(decodeURIComponent(fake.requests.at(-1) ?? '')).toMatch(/\/clusterroles\?labelSelector=touchstone\/cell=m1$/);
});
