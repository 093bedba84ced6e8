import { expect, test } from 'vitest';
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
