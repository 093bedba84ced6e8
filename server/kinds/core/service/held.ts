import type { KubeObject } from '../../../base/kube-object.ts';
import type { Service } from './shape.ts';

/** Addresses and ports of the cluster that a Service has: no two may have the same, at whichever server they are made. */
export function heldBy(service: KubeObject): readonly string[] {
  const { clusterIPs = [], ports = [], healthCheckNodePort } = (service as Service).spec ?? {};
  const nodePorts = [...ports.map(({ nodePort }) => nodePort), healthCheckNodePort].filter((port) => port);
  return [
    ...clusterIPs.filter((address) => address !== '' && address !== 'None').map((address) => `addresses/${address}`),
    ...new Set(nodePorts.map((port) => `ports/${port}`)),
  ];
}
