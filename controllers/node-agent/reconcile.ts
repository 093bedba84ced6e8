import type { ControllerOptions, NodeRuntime } from '../options.ts';
import { itself, type Loop, type Outcome, type Request } from '../runtime/controller.ts';
import { isDeleting, keyFor, nameOf } from '../runtime/kube-object.ts';
import { leases, type Node, nodes, type Pod, pods } from '../runtime/resources.ts';
import type { Surroundings } from '../runtime/run-loop.ts';
import { nodeCertificateLoops } from './certificates.ts';
import type { Mode } from './container-runtime.ts';
import { openEndpoints, type Ports } from './endpoints.ts';
import {
  heartbeat,
  isAsWanted,
  leaseFor,
  leaseNamespace,
  nodeFor,
  podAt,
  statusFor,
  throughAgent,
  untilRenewal,
  type Whereabouts,
} from './node.ts';
import { tellOfNode } from './node-news.ts';
import { PretendedRuntime } from './pretended/pretended-runtime.ts';
import { pretendedPods } from './pretended/reconcile.ts';

/** The loops of agents that run, or pretend to run, the pods of the nodes they are named for. */
export async function nodeLoops(
  options: ControllerOptions,
  surroundings: Omit<Surroundings, 'events'>,
): Promise<readonly Loop[]> {
  const own = new Set(options.nodeNames);
  const isOurs = (pod: Pod) => own.has(pod.spec?.nodeName ?? '');
  const { runtime, loop } =
    options.nodeRuntime === 'process'
      ? (await import('./process/mode.ts')).processes(isOurs, options, surroundings)
      : pretence(isOurs, surroundings);
  const ports = await openEndpoints(options, surroundings, runtime);
  const { cache } = surroundings.informers.of(pods);
  surroundings.podNetwork.add((host, port) => {
    const pod = podAt(cache.all().filter(isOurs), host);
    return pod && runtime.connect(pod, port);
  });
  return [
    {
      name: 'node-agent-heartbeat',
      seeds: options.nodeNames,
      watches: [itself(nodes, (node) => own.has(nameOf(node)))],
      reads: [leases],
      reconcile: (request) => keepAlive(request, ports, options.nodeRuntime),
    },
    loop,
    ...nodeCertificateLoops(options.nodeNames, options.nodeCertificatesDir),
  ];
}

type Around = Omit<Surroundings, 'events'>;

function pretence(isOurs: (pod: Pod) => boolean, { clock }: Around): Mode {
  const runtime = new PretendedRuntime(() => clock.now());
  return { runtime, loop: pretendedPods(isOurs, runtime) };
}

/** Registers the node if it is not there, renews its lease, and says where it can be asked. */
export async function keepAlive(request: Request, ports: Ports, runtime: NodeRuntime): Promise<Outcome> {
  const { key: name, read, write, clock } = request;
  const at = { name, port: ports.get(name) ?? 0, runtime };
  const node = read(nodes).find(name) ?? (await register(request, at));
  if (isDeleting(node)) return undefined;
  const lease = read(leases).find(keyFor(leaseNamespace, name));
  const wait = untilRenewal(lease, clock.now());
  if (wait === 0) {
    const next = leaseFor(node, lease, clock.now());
    await (lease ? write(leases).replace(lease, next) : write(leases).create(next));
  }
  // Who does not renew is called unreachable, so that to say otherwise before it has succeeded would go on without end.
  if (!isAsWanted(node, at)) {
    const status = statusFor(node.status, at, clock.now());
    const told = await write(nodes).replace(node, { ...node, status }, 'status');
    tellOfNode(request.events, told, node);
    await write(nodes).patch(told, { metadata: { annotations: throughAgent } });
  }
  return wait || heartbeat;
}

async function register({ write, clock, events }: Request, at: Whereabouts): Promise<Node> {
  const node = await write(nodes).create(nodeFor(at, clock.now()));
  tellOfNode(events, node);
  return node;
}
