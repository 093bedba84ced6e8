import { expect, test } from 'vitest';
import type { Note } from '../../runtime/events.ts';
import { requestOf } from '../../runtime/request.fixture.ts';
import { type Pod, pods, type Resource } from '../../runtime/resources.ts';
import type { PretendedRuntime } from './pretended-runtime.ts';
import { pretendedPods } from './reconcile.ts';

test.each([
  ['waits for a node', undefined],
  ['is for the node of another agent', 'other'],
])('a pod that has the name of one that has gone, and %s, is left alone', async (_, nodeName) => {
  const pod = { metadata: { name: 'web-0', namespace: 'a', uid: 'new' }, spec: { nodeName, containers: [] } } as Pod;
  const touched: string[] = [];
  const touch = (what: string) => () => void touched.push(what);
  const { reconcile } = pretendedPods(({ spec }) => spec?.nodeName === 'ours', {
    seen: touch('seen'),
    gone: touch('gone'),
  } as unknown as PretendedRuntime);
  const read = (resource: Resource) => ({
    find: () => (resource === pods ? pod : undefined),
    all: () => [pod],
    indexed: () => [],
  });
  const write = () => ({
    async replace() {
      touched.push('written');
      return pod;
    },
  });
  await reconcile(requestOf({ key: 'a/web-0', read, write, clock: { now: () => 0 } }));
  expect(touched).toEqual([]);
});

test('that the containers of a pod begin and are stopped is told, each once', async () => {
  const untold = { seen: () => {}, gone: () => {} } as unknown as PretendedRuntime;
  const { reconcile } = pretendedPods(() => true, untold);
  const state = {
    pod: {
      metadata: { name: 'p', namespace: 'a', uid: 'u' },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
    } as Pod,
  };
  const told: Note[] = [];
  const look = () =>
    reconcile(
      requestOf({
        key: 'a/p',
        read: (resource: Resource) => ({
          find: () => (resource === pods ? state.pod : undefined),
          all: () => [state.pod],
          indexed: () => [],
        }),
        write: () => ({
          replace: async (_: Pod, next: Pod) => Object.assign(state, { pod: next }).pod,
          delete: async () => {},
        }),
        clock: { now: () => 0 },
        events: { record: (_: Pod, note: Note) => told.push(note) },
      }),
    );
  await look();
  await look();
  const going = { deletionTimestamp: '2024-05-06T07:08:09Z', deletionGracePeriodSeconds: 30 };
  state.pod = { ...state.pod, metadata: { ...state.pod.metadata, ...going } };
  await look();
  const at = { action: 'Running', fieldPath: 'spec.containers{c}' };
  expect(told).toEqual([
    { ...at, reason: 'Pulled', note: 'Container image "i" already present on machine' },
    { ...at, reason: 'Created', note: 'Created container c' },
    { ...at, reason: 'Started', note: 'Started container c' },
    { ...at, reason: 'Killing', note: 'Stopping container c' },
  ]);
});
