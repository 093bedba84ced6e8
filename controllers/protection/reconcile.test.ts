import { expect, test } from 'vitest';
import { ApiError } from '../runtime/api-error.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import type { Pod } from '../runtime/resources.ts';
import { claimFinalizer, volumeFinalizer } from './plan.ts';
import { claimProtectionLoops, volumeProtectionLoops } from './reconcile.ts';

const claim = {
  metadata: {
    namespace: 'ns',
    name: 'c',
    finalizers: [claimFinalizer],
    deletionTimestamp: '2024-01-01T00:00:00Z',
  },
};
const user = {
  spec: { nodeName: 'n', volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] },
} as Pod;

test.each([
  ['is held by a pod that the cache does not know yet', [user], []],
  ['is let go when the server has no pod of it either', [], [{ metadata: { finalizers: [] } }]],
])('a claim that is deleted %s', async (_, live, expected) => {
  const written: unknown[] = [];
  const request = requestOf({
    key: 'ns/c',
    read: () => ({ find: () => claim, in: () => [] }),
    client: { list: async () => ({ items: live }) },
    write: () => ({ patch: async (_base: unknown, change: unknown) => written.push(change) }),
  });
  await claimProtectionLoops[0]?.reconcile(request);
  expect(written).toEqual(expected);
});

test('a volume that is gone before its protection is lifted is no failure', async () => {
  const gone = new ApiError(404, {}, 'PATCH');
  const request = requestOf({
    key: 'v',
    read: () => ({
      find: () => ({
        metadata: { name: 'v', finalizers: [volumeFinalizer], deletionTimestamp: '2024-01-01T00:00:00Z' },
      }),
    }),
    write: () => ({ patch: () => Promise.reject(gone) }),
  });
  await expect(volumeProtectionLoops[0]?.reconcile(request)).resolves.toBeUndefined();
});
