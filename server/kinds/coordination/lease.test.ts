import { expect, test } from 'vitest';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import { lease } from './lease.ts';

test.each([
  [{}, []],
  [{ spec: { leaseDurationSeconds: 1, leaseTransitions: 0 } }, []],
  [
    { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
    ['spec.leaseDurationSeconds Invalid', 'spec.leaseTransitions Invalid'],
  ],
])('a lease with %j', async (fields, causes) => {
  const { object, ...trial } = await tryCreate(lease, sample(lease, fields));
  expect(trial.causes).toEqual(causes);
  expect(object['spec']).toBeDefined();
});

test('any holder may follow another', async () => {
  const stored = sample(lease, { spec: { holderIdentity: 'me' } });
  const { object } = await tryUpdate(lease, stored, (next) => {
    next.spec.holderIdentity = 'you';
  });
  expect(lease.table?.cells(object, 0)).toEqual(['x', 'you', '<unknown>']);
});
