import { formatTime } from '../runtime/clock.ts';
import type { Node, Pod } from '../runtime/resources.ts';

type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];
type Condition = NonNullable<NonNullable<Node['status']>['conditions']>[number];

const named = (name: string): string => `node.kubernetes.io/${name}`;
const notReady = named('not-ready');
const unreachable = named('unreachable');
const unschedulable = named('unschedulable');

/** What an agent says that is wrong with its node, and the taint that keeps new pods away meanwhile. */
const troubles: Readonly<Record<string, string>> = {
  MemoryPressure: named('memory-pressure'),
  DiskPressure: named('disk-pressure'),
  PIDPressure: named('pid-pressure'),
  NetworkUnavailable: named('network-unavailable'),
};

/** Our taints, by what they do: keep new pods away, and send those away that do not tolerate them. */
const ours: Readonly<Record<string, readonly string[]>> = {
  NoSchedule: [notReady, unreachable, unschedulable, ...Object.values(troubles)],
  NoExecute: [notReady, unreachable],
};

/**
 * The taints that the conditions of a node ask for, beside those of others; undefined when it has them already. A node that
 * was never heard of is not ready, but sends nobody away: it may be about to begin.
 */
export function taintsFor(node: Node, now: number): readonly Taint[] | undefined {
  const wanted = wantedFor(node, now);
  const have = node.spec?.taints ?? [];
  const isSame = (a: Taint) => (b: Taint) => a.key === b.key && a.effect === b.effect;
  const stays = have.filter((taint) => !ours[taint.effect]?.includes(taint.key) || wanted.some(isSame(taint)));
  const missing = wanted.filter((taint) => !have.some(isSame(taint)));
  return missing.length === 0 && stays.length === have.length ? undefined : [...stays, ...missing];
}

function wantedFor({ spec, status }: Node, now: number): readonly Taint[] {
  const conditions = status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready')?.status;
  const keeps = (key: string): Taint => ({ key, effect: 'NoSchedule' });
  const sends = (key: string): Taint => ({ key, effect: 'NoExecute', timeAdded: formatTime(now) });
  return [
    ...(ready === 'False' || ready === undefined ? [keeps(notReady)] : []),
    ...(ready === 'False' ? [sends(notReady)] : []),
    ...(ready === 'Unknown' ? [keeps(unreachable), sends(unreachable)] : []),
    ...conditions
      .filter((each) => each.status === 'True')
      .flatMap(({ type }) => troubles[type] ?? [])
      .map(keeps),
    ...(spec?.unschedulable ? [keeps(unschedulable)] : []),
  ];
}

/** How long a node may be silent, in milliseconds; a new one has some time more to say something first. */
export const patienceWith = (node: Node): number => (readyOf(node) ? 40_000 : 60_000);

const readyOf = ({ status }: Node) => status?.conditions?.find(({ type }) => type === 'Ready');

/** Changes whenever the agent of a node tells something, in the node itself or by its lease. Undefined when it never has. */
export function signOfLife(node: Node, renewTime: string | undefined): string | undefined {
  const ready = readyOf(node);
  return ready || renewTime ? JSON.stringify([ready?.lastHeartbeatTime, renewTime]) : undefined;
}

/** What an agent tells of its node. Whether the node has a network is for others to say. */
const toldByAgent = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The conditions of a node that is silent: of what its agent told nobody knows any longer. Undefined when they say so already. */
export function silentConditions({ metadata, status }: Node, now: number): Condition[] | undefined {
  const conditions = status?.conditions ?? [];
  const isDoubtful = ({ type, status }: Condition) => toldByAgent.includes(type) && status !== 'Unknown';
  const missing = toldByAgent.filter((type) => !conditions.some((each) => each.type === type));
  if (missing.length === 0 && !conditions.some(isDoubtful)) return undefined;
  const unknown = { status: 'Unknown', lastTransitionTime: formatTime(now) };
  const stopped = {
    ...unknown,
    reason: 'NodeStatusUnknown',
    message: 'The node agent has stopped telling of its node.',
  };
  const never = { ...unknown, reason: 'NodeStatusNeverUpdated', message: 'The node agent never told it.' };
  const { creationTimestamp } = metadata ?? {};
  const heard = creationTimestamp ? { lastHeartbeatTime: creationTimestamp } : {};
  return [
    ...conditions.map((each) => (isDoubtful(each) ? { ...each, ...stopped } : each)),
    ...missing.map((type) => ({ type, ...never, ...heard })),
  ];
}

/** The status of a pod whose node is silent: it is not ready, for whoever would send it something. Undefined when it is not anyway. */
export function unreachableStatus({ status }: Pod, now: number): Pod['status'] {
  const isReady = ({ type, status }: Condition) => type === 'Ready' && status === 'True';
  if (!status?.conditions?.some(isReady)) return undefined;
  const unready = { status: 'False', lastTransitionTime: formatTime(now) };
  return { ...status, conditions: status.conditions.map((each) => (isReady(each) ? { ...each, ...unready } : each)) };
}
