import { expect, test } from 'vitest';
import { requestOf } from '../runtime/request.fixture.ts';
import { type Node, type Pod, pods, type Resource } from '../runtime/resources.ts';
import { taintEvictionLoops } from './reconcile.ts';

const taint = (key: string) => ({ key, effect: 'NoExecute' });
const forEver = { key: 'old', operator: 'Exists' };
const forAMinute = { key: 'new', operator: 'Exists', tolerationSeconds: 60 };

/** A pod on a node, looked at again and again. */
function world() {
  const pod = { metadata: { namespace: 'ns', name: 'p', uid: '1' }, spec: { nodeName: 'n' } } as unknown as Pod;
  const state = { now: 0, pod: pod as Pod | undefined, deleted: [] as unknown[] };
  /** As the server knows it, if that is not as it was seen. */
  const live: { node?: Node } = {};
  const node = { metadata: { name: 'n' }, spec: { taints: [] as object[] } };
  pod.spec = { ...pod.spec, tolerations: [forEver, forAMinute] } as NonNullable<Pod['spec']>;
  const request = requestOf({
    key: 'ns/p',
    clock: { now: () => state.now },
    read: (resource: Resource) => ({ find: () => (resource === pods ? state.pod : (node as Node)) }),
    client: { get: async () => live.node ?? node },
    write: () => ({ delete: async ({ metadata }: Pod) => void state.deleted.push(metadata?.uid) }),
    events: { record: () => {} },
  });
  const [loop] = taintEvictionLoops();
  return { state, node, live, look: () => loop?.reconcile(request) };
}

test('a taint that comes later is borne for its own time, however long another has been there', async () => {
  const { state, node, look } = world();
  node.spec.taints = [taint('old')];
  expect(await look()).toBeUndefined();
  state.now = 3_600_000;
  node.spec.taints = [taint('old'), taint('new')];
  expect(await look()).toBe(60_000);
  state.now += 59_000;
  expect(await look()).toBe(1_000);
  state.now += 1_000;
  await look();
  expect(state.deleted).toEqual(['1']);
});

test('a pod that takes the name of one that has gone has a time of its own', async () => {
  const { state, node, look } = world();
  node.spec.taints = [taint('new')];
  expect(await look()).toBe(60_000);
  state.now = 50_000;
  state.pod = { ...state.pod, metadata: { ...state.pod?.metadata, uid: '2' } };
  expect(await look()).toBe(60_000);
});

test('a taint that goes and comes again is borne anew', async () => {
  const { state, node, look } = world();
  node.spec.taints = [taint('new')];
  expect(await look()).toBe(60_000);
  node.spec.taints = [];
  await look();
  state.now = 50_000;
  node.spec.taints = [taint('new')];
  expect(await look()).toBe(60_000);
});

test('a pod stays that came to its node when the taint had gone, though that is not seen yet', async () => {
  const { state, node, live, look } = world();
  node.spec.taints = [taint('another')];
  live.node = { metadata: { name: 'n' }, spec: {} };
  expect(await look()).toBeUndefined();
  expect(state.deleted).toEqual([]);
});
