import { formatTime } from '../runtime/clock.ts';
import { bringing, itself, type Loop, type Reconciler, type Request } from '../runtime/controller.ts';
import { keyFor, millisecondsOf, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import { leases, type Node, nodes } from '../runtime/resources.ts';
import { silence, taintsFor } from './plan.ts';

const leaseNamespace = 'kube-node-lease';

/** Calls a node unreachable whose lease is no longer renewed, and keeps its taints in step with its readiness. */
const reconcile: Reconciler = async (request) => {
  const node = request.read(nodes).find(request.key);
  if (!node) return undefined;
  const wait = waitForSilence(request, node);
  const told = wait === 0 ? await sayUnknown(request, node) : node;
  const taints = taintsFor(told, request.clock.now());
  if (taints) await request.write(nodes).patch(told, { spec: { taints } });
  return wait || undefined;
};

/** Milliseconds until the node has been silent for too long; undefined when it never had a lease. */
function waitForSilence({ read, clock }: Request, node: Node): number | undefined {
  const lease = read(leases).find(keyFor(leaseNamespace, nameOf(node)));
  const renewed = millisecondsOf(lease?.spec?.renewTime);
  return renewed === undefined ? undefined : Math.max(0, renewed + silence - clock.now());
}

async function sayUnknown({ write, clock, events }: Request, node: Node): Promise<Node> {
  const conditions = node.status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (ready?.status === 'Unknown') return node;
  const unknown = {
    type: 'Ready',
    status: 'Unknown',
    reason: 'NodeStatusUnknown',
    message: 'The node agent has stopped renewing its lease.',
    lastTransitionTime: formatTime(clock.now()),
  };
  events.record(node, { reason: 'NodeNotReady', action: 'Watching', note: `Node ${nameOf(node)} does not answer` });
  const next = [...conditions.filter((each) => each !== ready), unknown];
  return write(nodes).replace(node, { ...node, status: { ...node.status, conditions: next } }, 'status');
}

export const nodeLifecycleLoops: readonly Loop[] = [
  {
    name: 'nodelifecycle',
    watches: [
      itself(nodes),
      bringing(leases, (lease) => (namespaceOf(lease) === leaseNamespace ? [nameOf(lease)] : [])),
    ],
    reconcile,
  },
];
