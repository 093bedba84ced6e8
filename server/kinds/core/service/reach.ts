import type { Duplex } from 'node:stream';
import type { KubeObject } from '../../../base/kube-object.ts';
import type { At } from '../../../http-client/http-call.ts';
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

/** A connection to an address by the agent of a node. */
export type ThroughAgent = (node: KubeObject, address: Pick<At, 'host' | 'port'>) => Promise<Duplex>;

/** Where a service of the cluster can be reached. @throws Error there is no such service */
export type ServiceAddress = (namespace: string, name: string, port: number) => Promise<At>;

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
