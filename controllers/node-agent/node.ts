import { arch, availableParallelism, release, totalmem, type } from 'node:os';
import type { NodeRuntime } from '../options.ts';
import { formatMicroTime, formatTime } from '../runtime/clock.ts';
import { millisecondsOf, ownedBy } from '../runtime/kube-object.ts';
import type { Lease, Node, Pod } from '../runtime/resources.ts';

/** The address that all these nodes share (of a range for documentation, RFC 5737). */
export const hostIp = '192.0.2.1';

/** The addresses of pods: 100.64.0.0/10, which is for use inside a network (RFC 6598), so no Service's range is in it. */
export const addresses = {
  count: 2 ** 22 - 2,
  /** The address of a number from 1 to `count`. */
  at: (number: number): string => `100.${64 + ((number >> 16) & 63)}.${(number >> 8) & 255}.${number & 255}`,
};

export const leaseNamespace = 'kube-node-lease';
/** How often the agent says that it is alive, in milliseconds, and how long others believe it, in seconds. */
export const heartbeat = 10_000;
const leaseSeconds = 40;

type Status = NonNullable<Node['status']>;

const roomFor = { pods: '1000', 'ephemeral-storage': '1Ti' };

interface Machine {
  readonly capacity: NonNullable<Status['capacity']>;
  readonly nodeInfo: NonNullable<Status['nodeInfo']>;
}

/** What a node has, or is said to have. */
const machines: Readonly<Record<NodeRuntime, () => Machine>> = {
  pretended: () => ({
    capacity: { ...roomFor, cpu: '64', memory: '256Gi' },
    nodeInfo: systemOf('pretended', { kernel: 'pretended', os: 'pretended', arch: 'amd64' }),
  }),
  process: () => ({
    capacity: { ...roomFor, cpu: String(availableParallelism()), memory: String(totalmem()) },
    nodeInfo: systemOf('process', { kernel: release(), os: type(), arch: arch() === 'x64' ? 'amd64' : arch() }),
  }),
};

const systemOf = (
  runtime: NodeRuntime,
  { kernel, os, arch: architecture }: { readonly kernel: string; readonly os: string; readonly arch: string },
) => ({
  machineID: '',
  systemUUID: '',
  bootID: '',
  kernelVersion: kernel,
  osImage: os,
  containerRuntimeVersion: `${runtime}://1`,
  kubeletVersion: 'v1.25.0',
  kubeProxyVersion: 'v1.25.0',
  operatingSystem: 'linux',
  architecture,
});

/** Tells servers that the addresses of the node's pods are reached through its agent, which is a proxy to them. */
export const throughAgent = { 'touchstone.example/reach-pods': 'through-agent' };

/** A node, and the port on which its agent answers; 0: it does not. */
export interface Whereabouts {
  readonly name: string;
  readonly port: number;
  readonly runtime: NodeRuntime;
}

/** The Node that an agent registers. */
export function nodeFor(at: Whereabouts, now: number): Node {
  const { name } = at;
  return {
    metadata: {
      name,
      annotations: throughAgent,
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
    },
    status: statusFor(undefined, at, now),
  };
}

/** The node's status when all is well. */
export function statusFor(
  before: Node['status'],
  { name, port, runtime }: Whereabouts,
  now: number,
): NonNullable<Node['status']> {
  const { capacity, nodeInfo } = machines[runtime]();
  return {
    ...before,
    capacity,
    allocatable: capacity,
    addresses: [
      { type: 'InternalIP', address: hostIp },
      // What servers try first. Only this machine can ask the agent.
      { type: 'Hostname', address: 'localhost' },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    conditions: conditionsFor(before?.conditions ?? [], runtime, now),
    nodeInfo: { ...nodeInfo, machineID: name, systemUUID: name, bootID: name },
  };
}

type Conditions = NonNullable<Status['conditions']>;

/** What the agent tells: the node is ready and short of nothing. What others tell stays. */
function conditionsFor(before: Conditions, runtime: NodeRuntime, now: number): Conditions {
  const message = runtime === 'pretended' ? 'The node agent pretends well.' : 'Pods run as processes.';
  const own = [
    ...['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
      type,
      status: 'False',
      reason: 'AgentReady',
    })),
    { type: 'Ready', status: 'True', reason: 'AgentReady', message },
  ];
  const time = formatTime(now);
  const since = ({ type, status }: { readonly type: string; readonly status: string }): string =>
    before.find((each) => each.type === type && each.status === status)?.lastTransitionTime ?? time;
  return [
    ...before.filter(({ type }) => !own.some((each) => each.type === type)),
    ...own.map((each) => ({ ...each, lastHeartbeatTime: time, lastTransitionTime: since(each) })),
  ];
}

/** Whether the node tells that it is ready, and where it is. */
export const isAsWanted = ({ status, metadata }: Node, { port, runtime }: Whereabouts): boolean =>
  (status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false) &&
  (status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0) === port &&
  status?.nodeInfo?.containerRuntimeVersion === `${runtime}://1` &&
  Object.entries(throughAgent).every(([key, value]) => metadata?.annotations?.[key] === value);

export function leaseFor(node: Node, lease: Lease | undefined, now: number): Lease {
  const name = node.metadata?.name ?? '';
  return {
    ...lease,
    metadata: { ...lease?.metadata, namespace: leaseNamespace, name, ownerReferences: [ownedBy(node, 'v1', 'Node')] },
    spec: { ...lease?.spec, holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime: formatMicroTime(now) },
  };
}

/** Milliseconds until it is to be renewed: none when it tells of a time to come, as a clock leaves it that was ahead. */
export function untilRenewal(lease: Lease | undefined, now: number): number {
  const renewedAt = millisecondsOf(lease?.spec?.renewTime) ?? 0;
  return renewedAt > now ? 0 : Math.max(0, renewedAt + heartbeat - now);
}

/** The pod that has the address. */
export const podAt = (pods: readonly Pod[], host: string): Pod | undefined =>
  pods.find(({ status }) => status?.podIP === host && status.phase === 'Running');
