import type { Duplex } from 'node:stream';
import type { KubeObject } from '../../../base/kube-object.ts';
import type { Lookup } from '../../strategy.ts';
import { agentBefore } from '../connections.ts';

interface Subset {
  readonly addresses?: readonly { readonly ip?: string; readonly nodeName?: string }[];
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

interface ServiceSpec {
  readonly type?: string;
  readonly externalName?: string;
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where a service of the cluster can be reached. */
export interface Reached extends Address {
  /** How, where it is not simply connected to. */
  readonly connect?: () => Promise<Duplex>;
}

/** A connection to an address by the agent of a node. */
export type ThroughAgent = (node: KubeObject, address: Address) => Promise<Duplex>;

/** @throws Error there is no such service */
export type ServiceAddress = (namespace: string, name: string, port: number) => Promise<Reached>;

/**
 * Where a service of the cluster can be reached from here. Cluster addresses lead nowhere without a network proxy, so
 * the service's own endpoints are used. @throws Error without such a service, port or endpoint
 */
export const reachService =
  (lookup: Lookup, through: ThroughAgent): ServiceAddress =>
  async (namespace, name, port) => {
    const service = await lookup.get('', 'services', namespace, name);
    if (!service) throw new Error(`service ${JSON.stringify(name)} not found`);
    const spec = (service['spec'] ?? {}) as ServiceSpec;
    if (spec.type === 'ExternalName') return { host: spec.externalName ?? '', port };
    const wanted = spec.ports?.find((each) => each.port === port);
    if (!wanted) throw new Error(`service ${JSON.stringify(name)} has no port ${port}`);
    const endpoints = await lookup.get('', 'endpoints', namespace, name);
    for (const { addresses = [], ports = [] } of (endpoints?.['subsets'] ?? []) as Subset[]) {
      const target = ports.find((each) => (each.name ?? '') === (wanted.name ?? ''));
      const [address] = addresses;
      if (!target?.port || !address?.ip) continue;
      const at = { host: address.ip, port: target.port };
      const node = await agentBefore(lookup, address.nodeName);
      return node ? { ...at, connect: () => through(node, at) } : at;
    }
    throw new Error(`no endpoints available for service ${JSON.stringify(name)}`);
  };
