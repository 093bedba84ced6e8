import { describe, expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import type { Node } from '../runtime/resources.ts';
import { taintsFor } from './plan.ts';

const now = Date.UTC(2024, 0, 1);
const ago = (seconds: number) => formatTime(now - seconds * 1000);

describe('taints of a node', () => {
  const node = (ready: string | undefined, taints: object[] = [], unschedulable = false, others: object[] = []): Node =>
    ({
      spec: { taints, unschedulable },
      status: { conditions: [...(ready ? [{ type: 'Ready', status: ready }] : []), ...others] },
    }) as unknown as Node;
  const key = (name: string) => ({ key: `node.kubernetes.io/${name}`, effect: 'NoSchedule' });
  const sends = (name: string, seconds = 0) => ({ ...key(name), effect: 'NoExecute', timeAdded: ago(seconds) });
  const troubled = (type: string, status = 'True', taints: object[] = []) =>
    node('True', taints, false, [{ type, status }]);
  const strangers = [
    { key: 'mine', effect: 'NoSchedule' },
    sends('unschedulable'),
    sends('memory-pressure'),
    { ...key('not-ready'), effect: 'PreferNoSchedule' },
  ];

  test.each<[string, Node, object[] | undefined]>([
    ['ready: none', node('True'), undefined],
    ['ready again: ours goes, others stay', node('True', [key('not-ready'), ...strangers]), strangers],
    ['not ready', node('False'), [key('not-ready'), sends('not-ready')]],
    ['never heard of', node(undefined), [key('not-ready')]],
    ['silent', node('Unknown', [key('not-ready')]), [key('unreachable'), sends('unreachable')]],
    ['cordoned', node('True', [], true), [key('unschedulable')]],
    ['cordoned no more', node('True', [key('unschedulable')]), []],
    ['as it should be', node('False', [key('not-ready'), sends('not-ready', 60)]), undefined],
    ['ready again: it sends nobody away', node('True', [sends('unreachable', 60), sends('not-ready', 60)]), []],
    ['short of memory', troubled('MemoryPressure'), [key('memory-pressure')]],
    ['short of disk', troubled('DiskPressure'), [key('disk-pressure')]],
    ['short of numbers of processes', troubled('PIDPressure'), [key('pid-pressure')]],
    ['without a network', troubled('NetworkUnavailable'), [key('network-unavailable')]],
    ['short of something else', troubled('PatiencePressure'), undefined],
    ['short of disk as it was', troubled('DiskPressure', 'True', [key('disk-pressure')]), undefined],
    ['no longer short of disk', troubled('DiskPressure', 'False', [key('disk-pressure')]), []],
    ['of which nobody knows whether it is short of disk', troubled('DiskPressure', 'Unknown'), undefined],
  ])('%s', (_, subject, expected) => expect(taintsFor(subject, now)).toEqual(expected));
});
