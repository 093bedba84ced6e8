import { expect, test } from 'vitest';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import type { Secret } from '../runtime/resources.ts';
import { tokenCleanerLoops } from './reconcile.ts';

const clock = new FakeClock();
const token = (seconds: number | undefined, type = 'bootstrap.kubernetes.io/token'): Secret => {
  const time = seconds === undefined ? '' : new Date(clock.now() + seconds * 1_000).toISOString();
  return {
    metadata: { namespace: 'kube-system', name: 'bootstrap-token-abcdef', resourceVersion: '7' },
    type,
    data: { expiration: Buffer.from(time).toString('base64') },
  };
};

test.each<[string, Secret | undefined, number | undefined, readonly object[]]>([
  ['that has run out is deleted, unless it changes meanwhile', token(-1), undefined, [{ resourceVersion: '7' }]],
  ['that will run out is looked at again then', token(60), 60_000, []],
  ['that never runs out stays', token(undefined), undefined, []],
  ['that is none stays', token(-1, 'Opaque'), undefined, []],
  ['that has gone is left alone', undefined, undefined, []],
])('a bootstrap token %s', async (_, secret, wait, expected) => {
  const deleted: object[] = [];
  const remove = async (_secret: Secret, { preconditions }: { preconditions: object }) => deleted.push(preconditions);
  const read = () => ({ find: () => secret });
  const request = requestOf({ key: 'k', clock, read, write: () => ({ delete: remove }) });
  expect(await tokenCleanerLoops[0]?.reconcile(request)).toBe(wait);
  expect(deleted).toEqual(expected);
});
