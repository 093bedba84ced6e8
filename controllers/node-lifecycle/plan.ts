import type { Node } from '../runtime/resources.ts';

type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];

const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';
const unschedulable = 'node.kubernetes.io/unschedulable';
const ours = new Set([notReady, unreachable, unschedulable]);

/** The taints that a node's readiness asks for, beside those of others; undefined when it has them already. */
export function taintsFor({ spec, status }: Node): readonly Taint[] | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  const wanted: Taint[] = [];
  if (ready === 'False' || ready === undefined) wanted.push({ key: notReady, effect: 'NoSchedule' });
  if (ready === 'Unknown') wanted.push({ key: unreachable, effect: 'NoSchedule' });
  if (spec?.unschedulable) wanted.push({ key: unschedulable, effect: 'NoSchedule' });
  const have = spec?.taints ?? [];
  const isOurs = ({ key, effect }: Taint) => ours.has(key) && effect === 'NoSchedule';
  const stays = have.filter((taint) => !isOurs(taint) || wanted.some(({ key }) => key === taint.key));
  const missing = wanted.filter(({ key }) => !have.some((taint) => isOurs(taint) && taint.key === key));
  return missing.length === 0 && stays.length === have.length ? undefined : [...stays, ...missing];
}

/** How long a node may be silent, in milliseconds. */
export const silence = 40_000;
