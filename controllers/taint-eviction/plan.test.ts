import { expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import type { Node, Pod } from '../runtime/resources.ts';
import { waitBeforeEviction } from './plan.ts';

const now = Date.UTC(2024, 0, 1);
const taint = (more: object = {}) => ({ key: 'k', value: 'v', effect: 'NoExecute', ...more });
const node = (...taints: object[]): Node => ({ spec: { taints } }) as unknown as Node;
const pod = (tolerations: object[], metadata: object = {}): Pod =>
  ({ metadata, spec: { tolerations } }) as unknown as Pod;
const fine = { key: 'k', operator: 'Exists' };

test.each<[string, Pod, Node, number | undefined]>([
  ['that does not tolerate the taint goes', pod([]), node(taint()), 0],
  ['stays where a taint only keeps others away', pod([]), node(taint({ effect: 'NoSchedule' })), undefined],
  ['that tolerates it stays', pod([fine]), node(taint()), undefined],
  ['that tolerates one of two goes', pod([fine]), node(taint(), taint({ key: 'other' })), 0],
  ['stays for a time, from when the taint was seen', pod([{ ...fine, tolerationSeconds: 60 }]), node(taint()), 50_000],
  [
    'stays for a time, from when the taint was added',
    pod([{ ...fine, tolerationSeconds: 60 }]),
    node(taint({ timeAdded: formatTime(now - 20_000) })),
    40_000,
  ],
  [
    'stays for the shortest of its times',
    pod([
      { ...fine, tolerationSeconds: 60 },
      { operator: 'Exists', tolerationSeconds: 15 },
    ]),
    node(taint()),
    5_000,
  ],
  [
    'that came after the taint stays for its time all the same',
    pod([{ ...fine, tolerationSeconds: 60 }], { creationTimestamp: formatTime(now - 5_000) }),
    node(taint({ timeAdded: formatTime(now - 3_600_000) })),
    55_000,
  ],
  ['whose time is up goes', pod([{ ...fine, tolerationSeconds: 5 }]), node(taint()), 0],
  ['that is going already is left alone', pod([], { deletionTimestamp: formatTime(now) }), node(taint()), undefined],
])('a pod %s', (_, subject, where, expected) =>
  expect(waitBeforeEviction(subject, where, now - 10_000, now)).toBe(expected),
);
