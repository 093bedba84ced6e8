import type { KubeObject } from '../base/kube-object.ts';
import type { Lookup } from '../kinds/strategy.ts';

/** Where a Service can be reached from here. @throws Error there is no such service, port or ready endpoint */
export type ServiceEndpoint = (namespace: string, name: string, port: number) => Promise<{ host: string; port: number }>;

interface ServicePort {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
}

interface Service extends KubeObject {
  readonly spec?: { readonly type?: string; readonly externalName?: string; readonly ports?: readonly ServicePort[] };
}

interface Endpoints extends KubeObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip?: string }[];
    readonly ports?: readonly ServicePort[];
  }[];
}

/**
 * Finds the endpoints of Services: nothing here routes cluster addresses, so it is one of the ready addresses that the
 * Endpoints object of the same name lists, each in its turn, or the name that an ExternalName stands for.
 */
export function serviceEndpoints(lookup: Lookup): ServiceEndpoint {
  let turn = 0;
  return async (namespace, name, port) => {
    const quoted = JSON.stringify(name);
    const service = (await lookup.get('', 'services', namespace, name)) as Service | undefined;
    if (!service) throw new Error(`service ${quoted} not found`);
    const { type, externalName, ports = [] } = service.spec ?? {};
    if (type === 'ExternalName' && externalName) return { host: externalName, port };
    const asked = ports.find((each) => each.port === port);
    if (!asked) throw new Error(`no service port ${port} found for service ${quoted}`);
    const endpoints = (await lookup.get('', 'endpoints', namespace, name)) as Endpoints | undefined;
    const places = placesOf(endpoints, asked);
    const place = places[turn++ % places.length];
    if (!place) throw new Error(`no endpoints available for service ${quoted}`);
    return place;
  };
}

/** Ports of a Service and of its endpoints go together by name. */
function placesOf({ subsets = [] }: Endpoints = {} as Endpoints, { name = '' }: ServicePort) {
  return subsets.flatMap(({ addresses = [], ports = [] }) => {
    const port = ports.find((each) => (each.name ?? '') === name)?.port;
    return port === undefined ? [] : addresses.flatMap(({ ip }) => (ip ? [{ host: ip, port }] : []));
  });
}
