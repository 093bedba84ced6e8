import type { KubeObject } from '../base/kube-object.ts';
import type { Lookup } from '../kinds/strategy.ts';
import type { ServiceAddress } from './conversion.ts';

interface Service extends KubeObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly externalName?: string;
    readonly ports?: readonly { readonly port?: number }[];
  };
}

/** Services are reached at their cluster address, or at the name that they stand for. */
export function serviceAddresses(lookup: Lookup): ServiceAddress {
  return async (namespace, name, port) => {
    const service = (await lookup.get('', 'services', namespace, name)) as Service | undefined;
    if (!service) throw new Error(`service ${JSON.stringify(name)} not found`);
    const { type, clusterIP, externalName, ports = [] } = service.spec ?? {};
    if (type === 'ExternalName' && externalName) return { host: externalName, port };
    if (!clusterIP || clusterIP === 'None') throw new Error(`service ${JSON.stringify(name)} has no cluster address`);
    if (!ports.some((each) => each.port === port))
      throw new Error(`service ${JSON.stringify(name)} has no port ${port}`);
    return { host: clusterIP, port };
  };
}
