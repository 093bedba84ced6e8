import { expect, test } from 'vitest';
import { ApiError } from '../runtime/api-error.ts';
import { formatTime } from '../runtime/clock.ts';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import type { Job } from '../runtime/resources.ts';
import { ttlAfterFinishedLoops } from './reconcile.ts';

const clock = new FakeClock();
/** A job that finished a minute ago, and is to stay for so many seconds. */
const job = (seconds: number, uid = 'u', resourceVersion = '7'): Job => ({
  metadata: { namespace: 'ns', name: 'j', uid, resourceVersion },
  spec: { ttlSecondsAfterFinished: seconds, template: {} },
  status: {
    conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: formatTime(clock.now() - 60_000) }],
  },
});
const foreground = (preconditions: object) => ({ propagationPolicy: 'Foreground', preconditions });

test.each<[string, Job | undefined, Job | undefined, number | undefined, readonly object[]]>([
  [
    'is deleted as the server has it now',
    job(60),
    job(30, 'u', '8'),
    undefined,
    [foreground({ uid: 'u', resourceVersion: '8' })],
  ],
  ['has some time left is looked at again then', job(90), undefined, 30_000, []],
  ['was given more time a moment ago stays', job(60), job(90), 30_000, []],
  ['has gone a moment ago is left alone', job(60), undefined, undefined, []],
  ['is another one by now stays', job(60), job(60, 'other'), undefined, []],
  ['is not known is left alone', undefined, undefined, undefined, []],
])('a job that %s', async (_, known, there, wait, expected) => {
  const deleted: object[] = [];
  const get = async () => {
    if (!there) throw new ApiError(404, { reason: 'NotFound' }, 'get');
    return there;
  };
  const write = () => ({ delete: async (_job: Job, options: object) => deleted.push(options) });
  const request = requestOf({ key: 'ns/j', clock, client: { get }, read: () => ({ find: () => known }), write });
  expect(await ttlAfterFinishedLoops[0]?.reconcile(request)).toBe(wait);
  expect(deleted).toEqual(expected);
});
