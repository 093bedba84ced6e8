import { expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import type { Pod } from '../runtime/resources.ts';
import { leftovers, missingNodes } from './plan.ts';

const pod = (name: string, nodeName?: string, { phase = 'Running', leaving = false, age = 0 } = {}): Pod =>
  ({
    metadata: {
      name,
      creationTimestamp: formatTime(Date.UTC(2024, 0, 1) - age * 1_000),
      ...(leaving && { deletionTimestamp: formatTime(Date.UTC(2024, 0, 1)) }),
    },
    spec: { ...(nodeName && { nodeName }) },
    status: { phase },
  }) as Pod;
const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata?.name);

test('pods go whose node is gone, that never had one and are to go, and the oldest of too many that ended', () => {
  const pods = [
    pod('here', 'a'),
    pod('lost', 'gone'),
    pod('lost-too', 'gone', { phase: 'Succeeded' }),
    pod('waiting'),
    pod('unplaced', undefined, { leaving: true }),
    pod('leaving', 'a', { leaving: true }),
    pod('young', 'a', { phase: 'Failed' }),
    pod('old', 'a', { phase: 'Succeeded', age: 9 }),
  ];
  expect(missingNodes(pods, (name) => name === 'a')).toEqual(new Set(['gone']));
  const { orphaned, unplaced, ended } = leftovers(pods, new Set(['gone']), 1);
  expect([names(orphaned), names(unplaced), names(ended)]).toEqual([['lost', 'lost-too'], ['unplaced'], ['old']]);
});
