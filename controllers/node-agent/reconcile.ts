import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ControllerOptions, NodeRuntime } from '../options.ts';
import { itself, type Loop, type Outcome, type Request } from '../runtime/controller.ts';
import { isDeleting, keyFor, millisecondsOf, nameOf } from '../runtime/kube-object.ts';
import { leases, nodes, type Pod } from '../runtime/resources.ts';
import type { Surroundings } from '../runtime/run-loop.ts';
import type { ContainerRuntime } from './container-runtime.ts';
import { openEndpoints, type Ports } from './endpoints.ts';
import { heartbeat, isAsWanted, leaseFor, leaseNamespace, nodeFor, statusFor, throughAgent } from './node.ts';
import { PretendedRuntime } from './pretended/pretended-runtime.ts';
import { pretendedPods } from './pretended/reconcile.ts';
import { readImages } from './process/command.ts';
import { ProcessRuntime } from './process/process-runtime.ts';
import { processPods } from './process/reconcile.ts';

/** The loops of agents that run, or pretend to run, the pods of the nodes they are named for. */
export async function nodeAgentLoops(
  options: ControllerOptions,
  surroundings: Omit<Surroundings, 'events'>,
): Promise<readonly Loop[]> {
  const own = new Set(options.nodeNames);
  const isOurs = (pod: Pod) => own.has(pod.spec?.nodeName ?? '');
  const { runtime, loop } =
    options.nodeRuntime === 'process' ? processes(isOurs, options, surroundings) : pretence(isOurs, surroundings);
  const ports = await openEndpoints(options, surroundings, runtime);
  return [
    {
      name: 'node-agent-heartbeat',
      seeds: options.nodeNames,
      watches: [itself(nodes, (node) => own.has(nameOf(node)))],
      reads: [leases],
      reconcile: (request) => keepAlive(request, ports, options.nodeRuntime),
    },
    loop,
  ];
}

interface Mode {
  readonly runtime: ContainerRuntime;
  readonly loop: Loop;
}

type Around = Omit<Surroundings, 'events'>;

function pretence(isOurs: (pod: Pod) => boolean, { clock }: Around): Mode {
  const runtime = new PretendedRuntime(() => clock.now());
  return { runtime, loop: pretendedPods(isOurs, runtime) };
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** @throws Error on a cluster that others may reach: whoever makes a pod there would run what they like here */
function processes(
  isOurs: (pod: Pod) => boolean,
  { image, nodeHostPaths, log }: ControllerOptions,
  { client, clock, signal }: Around,
): Mode {
  const { hostname } = client.connection.url;
  if (!loopback.test(hostname))
    throw new Error(
      `--node-runtime=process runs pods as you, so only those of a server on loopback, not of ${hostname}`,
    );
  log.info('pods run as processes of this machine, as you, with all your rights');
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-pods-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  signal.addEventListener('abort', remove);
  process.once('exit', remove);
  const runtime = new ProcessRuntime();
  const hostPaths = nodeHostPaths.map((path) => resolve(path));
  return {
    runtime,
    loop: processPods(isOurs, { client, clock, images: readImages(image), folder, hostPaths }, runtime),
  };
}

/** Registers the node if it is not there, says where it can be asked, and renews its lease. */
async function keepAlive(
  { key: name, read, write, clock }: Request,
  ports: Ports,
  runtime: NodeRuntime,
): Promise<Outcome> {
  const at = { name, port: ports.get(name) ?? 0, runtime };
  let node = read(nodes).find(name) ?? (await write(nodes).create(nodeFor(at, clock.now())));
  if (isDeleting(node)) return undefined;
  if (!isAsWanted(node, at)) {
    const status = statusFor(node.status, at, clock.now());
    node = await write(nodes).replace(node, { ...node, status }, 'status');
    await write(nodes).patch(node, { metadata: { annotations: throughAgent } });
  }
  const lease = read(leases).find(keyFor(leaseNamespace, name));
  const renewedAt = millisecondsOf(lease?.spec?.renewTime) ?? 0;
  const wait = renewedAt + heartbeat - clock.now();
  if (wait > 0) return wait;
  const next = leaseFor(node, lease, clock.now());
  await (lease ? write(leases).replace(lease, next) : write(leases).create(next));
  return heartbeat;
}
