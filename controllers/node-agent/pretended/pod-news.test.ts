import { expect, test } from 'vitest';
import type { Pod } from '../../runtime/resources.ts';
import { newsOf, stopNewsOf } from './pod-news.ts';

const running = { running: { startedAt: '2024-05-06T07:08:09Z' } };
const ended = { terminated: { exitCode: 1 } };
const waiting = { waiting: { reason: 'CrashLoopBackOff' } };
const at = (state: object, restartCount = 0, name = 'c') => ({ name, restartCount, state });
const statusOf = (containers: object[], more: object = {}) =>
  ({ containerStatuses: containers, ...more }) as Pod['status'];

test.each<[string, object[], object[], string[]]>([
  ['that begins', [], [at(running)], ['Started: Started container c']],
  ['that was waiting for what it needs', [at(waiting)], [at(running)], ['Started: Started container c']],
  ['that goes on', [at(running)], [at(running)], []],
  ['that ends', [at(running)], [at(ended)], []],
  ['that begins again at once', [at(running)], [at(running, 1)], ['Started: Started container c']],
  ['that waits for nothing before it begins again', [at(running)], [at(waiting, 0)], []],
  [
    'that waits before it begins again',
    [at(running, 2)],
    [at(waiting, 2)],
    ['BackOff: back-off 20s restarting failed container=c'],
  ],
  ['that waits still', [at(waiting, 2)], [at(waiting, 2)], []],
  [
    'among others',
    [at(running), at(waiting, 1, 'd')],
    [at(running), at(running, 2, 'd')],
    ['Started: Started container d'],
  ],
])('of a container %s people are told what is new', (_, before, next, told) => {
  const news = newsOf({ status: statusOf(before) } as Pod, statusOf(next));
  expect(news.map((each) => each.join(': '))).toEqual(told);
});

test('containers that prepare a pod, and those that are added to it, are told of as well', () => {
  const more = { initContainerStatuses: [at(ended, 0, 'i')], ephemeralContainerStatuses: [at(running, 0, 'e')] };
  const told = newsOf({}, statusOf([at(running)], more)).map(([, message]) => message);
  expect(told).toEqual(['i', 'c', 'e'].map((name) => `Started container ${name}`));
});

test('of a pod that is to go is told which containers are stopped, and not that any begins', () => {
  const status = statusOf([at(running), at(ended, 0, 'd')]);
  const pod = { metadata: { deletionTimestamp: '2024-05-06T07:08:09Z' }, status } as unknown as Pod;
  expect(stopNewsOf(pod)).toEqual([['Killing', 'Stopping container c']]);
  expect(newsOf(pod, statusOf([at(ended, 1)]))).toEqual([]);
});
