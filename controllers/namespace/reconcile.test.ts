import { expect, test } from 'vitest';
import { ApiError } from '../runtime/api-error.ts';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import type { Namespace, Resource } from '../runtime/resources.ts';
import { namespaceLoops } from './reconcile.ts';

const gone = new ApiError(404, { reason: 'NotFound' }, 'call');
const refused = new ApiError(500, { message: 'it broke' }, 'call');
const fail = (error: Error) => () => Promise.reject(error);

/** A server that has no groups but the first, and does not tell the kinds of that. */
const untold = async (path: string) => {
  if (path !== '/apis') throw refused;
  return { groups: [] };
};

/** A namespace that is going, on a server with one kind, and what was written. */
function world(answers: object, verbs = ['list', 'delete', 'deletecollection']) {
  const clock = new FakeClock();
  const deletionTimestamp = new Date(clock.now() - 8_000).toISOString();
  const namespace = {
    metadata: { name: 'ns', deletionTimestamp },
    spec: { finalizers: ['kubernetes', 'mine'] },
  } as unknown as Namespace;
  const state = { finalizers: namespace.spec?.finalizers, told: [] as string[], deleted: [] as string[] };
  const client = {
    read: async (path: string) =>
      path === '/apis' ? { groups: [] } : { resources: [{ name: 'maps', kind: 'Map', namespaced: true, verbs }] },
    list: async () => ({ items: [] }),
    delete: async (_: Resource, { name }: { name: string }) => state.deleted.push(name),
    deleteCollection: async () => state.deleted.push('all'),
    replace: async (_: Resource, { spec }: Namespace, part: string) => {
      if (part === 'finalize') state.finalizers = spec?.finalizers;
    },
    ...answers,
  };
  const replace = async (_: Namespace, next: Namespace) => {
    state.told = (next.status?.conditions ?? []).flatMap(({ status, reason = '' }) =>
      status === 'True' ? reason : [],
    );
    Object.assign(namespace, next);
    return next;
  };
  const read = () => ({ find: () => namespace });
  const request = requestOf({ key: 'ns', clock, client, read, write: () => ({ replace }) });
  return { state, look: async () => namespaceLoops[0]?.reconcile(request) };
}

/** Lists that are answered one after the other. */
const lists = (...names: readonly (readonly string[])[]) => {
  const left = [...names];
  return async () => ({ items: (left.shift() ?? []).map((name) => ({ metadata: { name } })) });
};

test.each<[string, object]>([
  ['holds nothing', {}],
  ['held what went at once', { list: lists(['a'], []) }],
  ['held a kind that has gone itself', { list: fail(gone) }],
])('a namespace that %s is let go by us, and by nobody else', async (_, answers) => {
  const { look, state } = world(answers);
  expect(await look()).toBeUndefined();
  expect([state.finalizers, state.told]).toEqual([['mine'], []]);
});

test.each<[string, object, string, string]>([
  ['the kind cannot be listed', { list: fail(refused) }, 'ContentDeletionFailed', 'maps: call: it broke'],
  ['its kinds are not told', { read: untold }, 'DiscoveryFailed', 'not discovered: v1: call: it broke'],
])(
  'where %s the namespace says so, stays, and is looked at again as after any failure',
  async (_, answers, reason, why) => {
    const { look, state } = world(answers);
    await expect(look()).rejects.toThrow(why);
    expect([state.told, state.finalizers]).toEqual([[reason], ['kubernetes', 'mine']]);
  },
);

test('what takes its time is looked at again after a quarter of the time that the namespace has taken', async () => {
  const { look, state } = world({ list: lists(['a', 'b'], ['a']) });
  expect(await look()).toBe(2_000);
  expect([state.told, state.deleted]).toEqual([['SomeResourcesRemain'], ['all']]);
});

test('where others hold the namespace it says in the end that nothing is left', async () => {
  const { look, state } = world({ list: lists(['a'], ['a'], [], []) });
  await look();
  expect([state.told, state.finalizers]).toEqual([['SomeResourcesRemain'], ['kubernetes', 'mine']]);
  await look();
  expect([state.told, state.finalizers]).toEqual([[], ['mine']]);
});

test('what cannot be deleted at once is deleted one by one, and one that has gone meanwhile is no failure', async () => {
  const deleted: string[] = [];
  const remove = async (_: Resource, { name }: { name: string }) => {
    if (name === 'b') throw gone;
    deleted.push(name);
  };
  const { look, state } = world({ list: lists(['a'], ['a', 'b', 'c'], []), delete: remove }, ['list', 'delete']);
  await look();
  expect([deleted, state.finalizers]).toEqual([['a', 'c'], ['mine']]);
});
