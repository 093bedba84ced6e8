import { formatTime } from '../runtime/clock.ts';
import { bringing, itself, type Loop, type Outcome, type Request } from '../runtime/controller.ts';
import { keyFor, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import { leases, type Node, nodes } from '../runtime/resources.ts';
import { silence, taintsFor } from './plan.ts';

const leaseNamespace = 'kube-node-lease';

/** Calls a node unreachable whose lease is no longer renewed, and keeps its taints in step with its readiness. */
async function reconcile(request: Request, heard: Map<string, Heard>): Promise<Outcome> {
  const node = request.read(nodes).find(request.key);
  if (!node) return void heard.delete(request.key);
  const wait = waitForSilence(request, node, heard);
  const told = wait === 0 ? await sayUnknown(request, node) : node;
  const taints = taintsFor(told, request.clock.now());
  if (taints) await request.write(nodes).patch(told, { spec: { taints } });
  return wait || undefined;
}

/** A renewal, and when it was first seen here: the clock of a node may be wrong, and who begins knows nothing of before. */
interface Heard {
  readonly renewTime: string;
  readonly at: number;
}

/** Milliseconds until the node has been silent for too long; undefined when it never had a lease. */
function waitForSilence({ read, clock }: Request, node: Node, heard: Map<string, Heard>): number | undefined {
  const name = nameOf(node);
  const renewTime = read(leases).find(keyFor(leaseNamespace, name))?.spec?.renewTime;
  if (!renewTime) return undefined;
  let last = heard.get(name);
  if (last?.renewTime !== renewTime) {
    last = { renewTime, at: clock.now() };
    heard.set(name, last);
  }
  return Math.max(0, last.at + silence - clock.now());
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

export function nodeLifecycleLoops(): readonly Loop[] {
  const heard = new Map<string, Heard>();
  return [
    {
      name: 'nodelifecycle',
      watches: [
        itself(nodes),
        bringing(leases, (lease) => (namespaceOf(lease) === leaseNamespace ? [nameOf(lease)] : [])),
      ],
      reconcile: (request) => reconcile(request, heard),
    },
  ];
}
