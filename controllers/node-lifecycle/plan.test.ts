import { describe, expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import type { Node, Pod } from '../runtime/resources.ts';
import { silentConditions, taintsFor, unreachableStatus } from './plan.ts';

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

describe('the conditions of a silent node', () => {
  const told = (type: string, status: string) => ({ type, status, reason: 'AsTold', lastHeartbeatTime: ago(90) });
  const silent = (conditions: object[]) =>
    silentConditions({ metadata: { creationTimestamp: ago(900) }, status: { conditions } } as unknown as Node, now);
  const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];
  const agents = [told('Ready', 'True'), ...pressures.map((type) => told(type, 'False'))];
  const others = [told('NetworkUnavailable', 'False'), told('PatiencePressure', 'True')];

  test('are unknown where its agent told them, with when it was last heard; those of others stay', () => {
    const conditions = silent([...others, ...agents]) ?? [];
    expect(conditions.slice(0, 2)).toEqual(others);
    const unknown = { status: 'Unknown', reason: 'NodeStatusUnknown', lastTransitionTime: ago(0) };
    expect(conditions.slice(2)).toMatchObject(agents.map((each) => ({ ...each, ...unknown })));
  });

  test('are made up where its agent never told them', () => {
    const [ready, ...rest] = silent([told('Ready', 'False')]) ?? [];
    expect(ready).toMatchObject({ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' });
    const never = { status: 'Unknown', reason: 'NodeStatusNeverUpdated', lastHeartbeatTime: ago(900) };
    expect(rest).toMatchObject(pressures.map((type) => ({ type, ...never })));
  });

  test('are told once', () => {
    const unknown = agents.map((each) => ({ ...each, status: 'Unknown' }));
    expect(silent([...others, ...unknown])).toBeUndefined();
    expect(silent(unknown.map((each, index) => (index === 2 ? { ...each, status: 'False' } : each)))).toBeDefined();
  });
});

describe('a pod on a silent node', () => {
  const pod = (ready?: string): Pod => {
    const initialized = { type: 'Initialized', status: 'True', lastTransitionTime: ago(90) };
    const condition = { type: 'Ready', status: ready, lastTransitionTime: ago(80), reason: 'AsTold' };
    return { status: { phase: 'Running', conditions: [initialized, ...(ready ? [condition] : [])] } } as Pod;
  };

  test('is not ready from now on, and all else stays as it was', () => {
    const { conditions: [initialized, ready] = [], ...status } = pod('True').status ?? {};
    const unready = { ...ready, status: 'False', lastTransitionTime: ago(0) };
    expect(unreachableStatus(pod('True'), now)).toEqual({ ...status, conditions: [initialized, unready] });
  });

  test.each(['False', 'Unknown', undefined])('stays as it is where it is told to be ready: %s', (ready) => {
    expect(unreachableStatus(pod(ready), now)).toBeUndefined();
  });
});
