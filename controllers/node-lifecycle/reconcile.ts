import { unlessNotFound } from '../runtime/api-error.ts';
import { bringing, itself, type Loop, type Outcome, type Request } from '../runtime/controller.ts';
import { createdAt, keyFor, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import { forEach } from '../runtime/many.ts';
import { byNode, podsOn } from '../runtime/pods/pods-on-node.ts';
import { leases, type Node, nodes, type Pod, pods } from '../runtime/resources.ts';
import { patienceWith, signOfLife, silentConditions, taintsFor, unreachableStatus } from './plan.ts';

const leaseNamespace = 'kube-node-lease';

/** A node that gives no sign of life is unreachable, and its pods are not ready; its taints are in step with its readiness. */
async function reconcile(request: Request, heard: Map<string, Heard>): Promise<Outcome> {
  const node = request.read(nodes).find(request.key);
  if (!node) return forget(request, heard);
  if (!heard.has(request.key)) greet(request, node);
  const wait = waitForSilence(request, node, heard);
  const told = wait === 0 ? await sayUnknown(request, node) : node;
  const taints = taintsFor(told, request.clock.now());
  if (taints) await request.write(nodes).patch(told, { spec: { taints } });
  if (wait === 0) await forEach(podsOn(request.read, request.key), (pod) => sayNotReady(request, pod));
  return wait || undefined;
}

/** A sign of life, and when it was first seen here: the clock of a node may be wrong, and who begins knows nothing of before. */
interface Heard {
  readonly sign: string | undefined;
  readonly at: number;
  readonly node: Node;
}

/** Who begins to look tells of the nodes that are there, as of new ones. */
function greet({ events }: Request, node: Node): void {
  const note = `Node ${nameOf(node)} event: Registered Node ${nameOf(node)} in Controller`;
  events.record(node, { reason: 'RegisteredNode', action: 'Watching', note });
}

function forget({ key, events }: Request, heard: Map<string, Heard>): undefined {
  const { node } = heard.get(key) ?? {};
  heard.delete(key);
  const note = `Node ${key} event: Removing Node ${key} from Controller`;
  if (node) events.record(node, { reason: 'RemovingNode', action: 'Watching', note });
}

/** Milliseconds until the node has been silent for too long. One that never said anything has been since it was made. */
function waitForSilence({ read, clock }: Request, node: Node, heard: Map<string, Heard>): number {
  const name = nameOf(node);
  const sign = signOfLife(node, read(leases).find(keyFor(leaseNamespace, name))?.spec?.renewTime);
  const known = heard.get(name);
  const isNew = !known || known.sign !== sign;
  const last = isNew ? { sign, at: sign === undefined ? createdAt(node) : clock.now(), node } : known;
  heard.set(name, last);
  return Math.max(0, last.at + patienceWith(node) - clock.now());
}

async function sayUnknown({ write, clock, events }: Request, node: Node): Promise<Node> {
  const conditions = silentConditions(node, clock.now());
  if (!conditions) return node;
  events.record(node, { reason: 'NodeNotReady', action: 'Watching', note: `Node ${nameOf(node)} does not answer` });
  return write(nodes).replace(node, { ...node, status: { ...node.status, conditions } }, 'status');
}

/** Its agent is not there to say it. */
async function sayNotReady({ write, clock, events }: Request, pod: Pod): Promise<void> {
  const status = unreachableStatus(pod, clock.now());
  if (!status || !(await unlessNotFound(write(pods).replace(pod, { ...pod, status }, 'status')))) return;
  events.record(pod, { type: 'Warning', reason: 'NodeNotReady', action: 'Watching', note: 'Node is not ready' });
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
      reads: [pods],
      indexes: [byNode],
      reconcile: (request) => reconcile(request, heard),
    },
  ];
}
