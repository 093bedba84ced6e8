import { expect, test } from 'vitest';
import type { Pod } from '../../runtime/resources.ts';
import { noteOf } from '../news.ts';
import { newsOf, stopNewsOf } from './pod-news.ts';

const running = { running: { startedAt: '2024-05-06T07:08:09Z' } };
const ended = { terminated: { exitCode: 1 } };
const waiting = { waiting: { reason: 'CrashLoopBackOff' } };
const at = (state: object, restartCount = 0, name = 'c') => ({ name, image: 'i', restartCount, state });
/** What is told of a container that begins. */
const beginning = (name: string) => [
  'Pulled: Container image "i" already present on machine',
  `Created: Created container ${name}`,
  `Started: Started container ${name}`,
];
const statusOf = (containers: object[], more: object = {}) =>
  ({ containerStatuses: containers, ...more }) as Pod['status'];

test.each<[string, object[], object[], string[]]>([
  ['that begins', [], [at(running)], beginning('c')],
  ['that was waiting for what it needs', [at(waiting)], [at(running)], beginning('c')],
  ['that goes on', [at(running)], [at(running)], []],
  ['that ends', [at(running)], [at(ended)], []],
  ['that begins again at once', [at(running)], [at(running, 1)], beginning('c')],
  ['that waits for nothing before it begins again', [at(running)], [at(waiting, 0)], []],
  [
    'that waits before it begins again',
    [at(running, 2)],
    [at(waiting, 2)],
    ['BackOff: back-off 20s restarting failed container=c'],
  ],
  ['that waits still', [at(waiting, 2)], [at(waiting, 2)], []],
  ['among others', [at(running), at(waiting, 1, 'd')], [at(running), at(running, 2, 'd')], beginning('d')],
])('of a container %s people are told what is new', (_, before, next, told) => {
  const news = newsOf({ status: statusOf(before) } as Pod, statusOf(next));
  expect(news.map(([reason, message]) => `${reason}: ${message}`)).toEqual(told);
});

test('containers that prepare a pod, and those that are added to it, are told of as well', () => {
  const more = { initContainerStatuses: [at(ended, 0, 'i')], ephemeralContainerStatuses: [at(running, 0, 'e')] };
  const told = newsOf({}, statusOf([at(running)], more)).map(([reason, message]) => `${reason}: ${message}`);
  expect(told).toEqual(['i', 'c', 'e'].flatMap(beginning));
});

test('of a pod that is to go is told which containers are stopped, and not that any begins', () => {
  const status = statusOf([at(running), at(ended, 0, 'd')]);
  const pod = { metadata: { deletionTimestamp: '2024-05-06T07:08:09Z' }, status } as unknown as Pod;
  expect(stopNewsOf(pod)).toEqual([['Killing', 'Stopping container c', 'c']]);
  expect(newsOf(pod, statusOf([at(ended, 1)]))).toEqual([]);
});

test('an image that is fetched for each start is told of as such', () => {
  const containers = [{ name: 'c', image: 'i', imagePullPolicy: 'Always' }];
  const told = newsOf({ spec: { containers } }, statusOf([at(running)])).map(([reason]) => reason);
  expect(told).toEqual(['Pulling', 'Pulled', 'Created', 'Started']);
});

test.each([
  ['one', 'c', 'spec.containers{c}'],
  ['one that prepares it', 'i', 'spec.initContainers{i}'],
  ['one that was added', 'e', 'spec.ephemeralContainers{e}'],
  ['none of them', undefined, undefined],
])('news of a pod say of which of its containers they are: %s', (_, container, fieldPath) => {
  const of = (name: string) => [{ name }];
  const spec = { containers: of('c'), initContainers: of('i'), ephemeralContainers: of('e') };
  expect(noteOf(['Unhealthy', 'text', container], { spec })).toEqual({
    ...{ type: 'Warning', reason: 'Unhealthy', action: 'Running', note: 'text' },
    ...(fieldPath && { fieldPath }),
  });
});
