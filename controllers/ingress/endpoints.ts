import { hostInUrl } from '../../host-in-url.ts';
import type { EndpointSlice, Service } from '../runtime/resources.ts';

/** One address that answers for a Service. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** As undici knows it, such as `http://10.0.0.1:8080`. */
  readonly origin: string;
}

type SliceEndpoint = NonNullable<EndpointSlice['endpoints']>[number];
type ServicePort = NonNullable<NonNullable<Service['spec']>['ports']>[number];

/** The endpoints of every port of a Service, by the port's name and by its number. */
export function endpointsOf(
  service: Service,
  slices: readonly EndpointSlice[],
): ReadonlyMap<string | number, readonly Endpoint[]> {
  const { ports = [], type, externalName } = service.spec ?? {};
  const all = new Map<string | number, readonly Endpoint[]>();
  for (const port of ports) {
    const found =
      type === 'ExternalName' && externalName ? [endpointAt(externalName, port.port)] : ofPort(port, slices);
    all.set(port.port, found);
    if (port.name) all.set(port.name, found);
  }
  return all;
}

/** Those that are ready; while none is, those that still serve although they are going. */
function ofPort(port: ServicePort, slices: readonly EndpointSlice[]): readonly Endpoint[] {
  const ready = inSlices(port, slices, isReady);
  return ready.length > 0 ? ready : inSlices(port, slices, isLeaving);
}

/** That nobody knows whether it is ready counts as ready. */
const isReady = ({ conditions }: SliceEndpoint): boolean => conditions?.ready ?? true;

/** Unset, `serving` says what `ready` says, and `terminating` says no. */
const isLeaving = (endpoint: SliceEndpoint): boolean =>
  (endpoint.conditions?.terminating ?? false) && (endpoint.conditions?.serving ?? isReady(endpoint));

function inSlices(
  port: ServicePort,
  slices: readonly EndpointSlice[],
  isWanted: (endpoint: SliceEndpoint) => boolean,
): readonly Endpoint[] {
  const found = new Map<string, Endpoint>();
  for (const { endpoints, ports } of slices) {
    const number = numberIn(ports, port);
    if (number === undefined) continue;
    for (const endpoint of endpoints ?? []) {
      // The addresses of one endpoint are as good as each other.
      const [host] = endpoint.addresses;
      if (host === undefined || !isWanted(endpoint)) continue;
      const one = endpointAt(host, number);
      found.set(one.origin, one);
    }
  }
  return [...found.values()];
}

/** A slice without ports offers none. One whose port has no number offers every number, so that the Service decides. */
function numberIn(ports: EndpointSlice['ports'], { name = '', port, targetPort }: ServicePort): number | undefined {
  const offered = ports?.find((each) => (each.name ?? '') === name && (each.protocol ?? 'TCP') === 'TCP');
  if (!offered) return undefined;
  return offered.port ?? (typeof targetPort === 'number' ? targetPort : port);
}

const endpointAt = (host: string, port: number): Endpoint => ({
  host,
  port,
  origin: `http://${hostInUrl(host)}:${port}`,
});
