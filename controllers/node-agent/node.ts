import { formatMicroTime, formatTime } from '../runtime/clock.ts';
import { managedBy } from '../runtime/kube-object.ts';
import type { Lease, Node } from '../runtime/resources.ts';

/** The address that all pretended nodes share (of a range for documentation, RFC 5737). */
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

const capacity = { cpu: '64', memory: '256Gi', pods: '1000', 'ephemeral-storage': '1Ti' };

/** The Node that an agent of this name registers. */
export function nodeFor(name: string, hostIp: string, now: number): Node {
  return {
    metadata: {
      name,
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
    },
    status: statusFor(undefined, name, hostIp, now),
  };
}

/** The node's status when all is well. */
export function statusFor(
  before: Node['status'],
  name: string,
  hostIp: string,
  now: number,
): NonNullable<Node['status']> {
  const ready = before?.conditions?.find(({ type }) => type === 'Ready');
  const time = formatTime(now);
  const lastTransitionTime = (ready?.status === 'True' && ready.lastTransitionTime) || time;
  const condition = { type: 'Ready', status: 'True', reason: 'AgentReady', message: 'The node agent pretends well.' };
  return {
    ...before,
    capacity,
    allocatable: capacity,
    addresses: [
      { type: 'InternalIP', address: hostIp },
      { type: 'Hostname', address: name },
    ],
    conditions: [
      ...(before?.conditions ?? []).filter((each) => each !== ready),
      { ...condition, lastHeartbeatTime: time, lastTransitionTime },
    ],
    nodeInfo: {
      machineID: name,
      systemUUID: name,
      bootID: name,
      kernelVersion: 'pretended',
      osImage: 'pretended',
      containerRuntimeVersion: 'pretended://1',
      kubeletVersion: 'v1.25.0',
      kubeProxyVersion: 'v1.25.0',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}

export const isReady = (node: Node): boolean =>
  node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

export function leaseFor(node: Node, lease: Lease | undefined, now: number): Lease {
  const name = node.metadata?.name ?? '';
  const { controller: _, blockOwnerDeletion: __, ...owner } = managedBy(node, 'v1', 'Node');
  return {
    ...lease,
    metadata: { ...lease?.metadata, namespace: leaseNamespace, name, ownerReferences: [owner] },
    spec: { ...lease?.spec, holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime: formatMicroTime(now) },
  };
}
