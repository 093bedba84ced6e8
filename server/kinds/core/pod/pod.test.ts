import { describe, expect, test } from 'vitest';
import { sample } from '../../kind-write.fixture.ts';
import { spec } from './pod.fixture.ts';
import { pod } from './pod.ts';

describe('the end of a pod', () => {
  const grace = (fields: object, asked?: number) => pod.beginDeletion?.(sample(pod, fields), asked, {} as never);
  const bound = { spec: { nodeName: 'n', terminationGracePeriodSeconds: 30 } };

  test.each<[string, object, number | undefined, number]>([
    ['not bound: at once', { spec: {} }, 10, 0],
    ['bound: as its spec says', bound, undefined, 30],
    ['bound: as asked', bound, 5, 5],
    ['at once when asked', bound, 0, 0],
    ['less than nothing is one second', bound, -3, 1],
    ['over already', { ...bound, status: { phase: 'Failed' } }, undefined, 0],
  ])('%s', (_title, fields, asked, seconds) => {
    expect(grace(fields, asked)).toBe(seconds);
  });
});

describe('the table of pods', () => {
  const cells = (fields: object, metadata: object = {}) =>
    pod.table?.cells(
      sample(pod, { ...spec(), ...fields }, { creationTimestamp: '2024-01-01T00:00:00Z', ...metadata }),
      Date.UTC(2024, 0, 1, 0, 5),
    );
  const status = (containerStatuses: object[], more: object = {}) => ({
    status: { phase: 'Running', containerStatuses, ...more },
  });

  test.each<[string, object, unknown[]]>([
    ['a new one', { status: { phase: 'Pending' } }, ['0/1', 'Pending', '0']],
    ['a running one', status([{ ready: true, restartCount: 2, state: { running: {} } }]), ['1/1', 'Running', '2']],
    [
      'one that crashes',
      status([
        {
          restartCount: 3,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { finishedAt: '2024-01-01T00:04:00Z' } },
        },
      ]),
      ['0/1', 'CrashLoopBackOff', '3 (60s ago)'],
    ],
    [
      'one that ended before it was counted',
      status([{ restartCount: 0, state: {}, lastState: { terminated: { finishedAt: '2024-01-01T00:04:00Z' } } }]),
      ['0/1', 'Running', '0 (60s ago)'],
    ],
    [
      'one that has prepared itself at the second attempt',
      status([{ ready: true, restartCount: 1, state: { running: {} } }], {
        initContainerStatuses: [
          {
            restartCount: 5,
            state: { terminated: { exitCode: 0 } },
            lastState: { terminated: { finishedAt: '2024-01-01T00:04:00Z' } },
          },
        ],
      }),
      ['1/1', 'Running', '1 (60s ago)'],
    ],
    [
      'one whose first preparation fails, whatever stands behind it',
      status([], {
        initContainerStatuses: [
          { restartCount: 2, state: { waiting: { reason: 'CrashLoopBackOff' } } },
          { restartCount: 7, state: { waiting: { reason: 'PodInitializing' } } },
        ],
      }),
      ['0/1', 'Init:CrashLoopBackOff', '2'],
    ],
    ['one that was killed', status([{ state: { terminated: { signal: 9 } } }]), ['0/1', 'Signal:9', '0']],
    [
      'one that prepares itself',
      status([], { initContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { state: { running: {} } }] }),
      ['0/1', 'Init:1/0', '0'],
    ],
  ])('%s', (_title, fields, expected) => {
    expect(cells(fields)?.slice(1, 4)).toEqual(expected);
  });

  test('what is being deleted is terminating', () => {
    expect(cells({}, { deletionTimestamp: '2024-01-01T00:00:00Z' })?.[2]).toBe('Terminating');
  });
});
