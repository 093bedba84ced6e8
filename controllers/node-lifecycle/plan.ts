import { formatTime } from '../runtime/clock.ts';
import type { Node } from '../runtime/resources.ts';

type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];

const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';
const unschedulable = 'node.kubernetes.io/unschedulable';
const ours = new Set([notReady, unreachable, unschedulable]);

/** What our taints do: keep new pods away, and send those away that do not tolerate them. */
const effects = ['NoSchedule', 'NoExecute'];

/**
 * The taints that a node's readiness asks for, beside those of others; undefined when it has them already. A node that
 * was never heard of is not ready, but sends nobody away: it may be about to begin.
 */
export function taintsFor({ spec, status }: Node, now: number): readonly Taint[] | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  const wanted: Taint[] = [];
  const sends = (key: string): Taint => ({ key, effect: 'NoExecute', timeAdded: formatTime(now) });
  if (ready === 'False' || ready === undefined) wanted.push({ key: notReady, effect: 'NoSchedule' });
  if (ready === 'False') wanted.push(sends(notReady));
  if (ready === 'Unknown') wanted.push({ key: unreachable, effect: 'NoSchedule' }, sends(unreachable));
  if (spec?.unschedulable) wanted.push({ key: unschedulable, effect: 'NoSchedule' });
  const have = spec?.taints ?? [];
  const isOurs = ({ key, effect }: Taint) =>
    ours.has(key) && effects.includes(effect) && !(key === unschedulable && effect === 'NoExecute');
  const isSame = (a: Taint) => (b: Taint) => a.key === b.key && a.effect === b.effect;
  const stays = have.filter((taint) => !isOurs(taint) || wanted.some(isSame(taint)));
  const missing = wanted.filter((taint) => !have.some(isSame(taint)));
  return missing.length === 0 && stays.length === have.length ? undefined : [...stays, ...missing];
}

/** How long a node may be silent, in milliseconds. */
export const silence = 40_000;
