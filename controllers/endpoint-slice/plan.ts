import {
  controllerOf,
  isDeleting,
  type KubeObject,
  labelsOf,
  managedBy,
  nameOf,
  namespaceOf,
  uidOf,
} from '../runtime/kube-object.ts';
import { isReady } from '../runtime/pods/pod-state.ts';
import type { EndpointSlice, Node, Pod, Service } from '../runtime/resources.ts';
import { matchesMap } from '../runtime/selector.ts';

export const serviceLabel = 'kubernetes.io/service-name';
export const managerLabel = 'endpointslice.kubernetes.io/managed-by';
export const manager = 'endpointslice-controller.k8s.io';

/** Endpoints in a slice. */
const atMost = 100;

type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];
type Ports = NonNullable<EndpointSlice['ports']>;

export interface SlicePlan {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly { readonly before: EndpointSlice; readonly after: EndpointSlice }[];
  readonly delete: readonly EndpointSlice[];
}

/** The labels of what belongs to a service: its own, and whether it has no address. */
export const labelsFor = ({ metadata, spec }: Service): Readonly<Record<string, string>> => ({
  ...metadata?.labels,
  ...(spec?.clusterIP === 'None' && { 'service.kubernetes.io/headless': '' }),
});

const sliceLabels = (service: Service): Record<string, string> => ({
  ...labelsFor(service),
  [serviceLabel]: nameOf(service),
  [managerLabel]: manager,
});

/** The pods that a service stands for: those of its selector that have an address and have not ended. */
export const podsOf = (service: Service, pods: readonly Pod[]): readonly Pod[] =>
  pods.filter(
    (pod) =>
      matchesMap(service.spec?.selector, pod.metadata?.labels) &&
      Boolean(pod.status?.podIP) &&
      pod.status?.phase !== 'Succeeded' &&
      pod.status?.phase !== 'Failed',
  );

/** The node of this name, if it is there. */
type NodeOf = (name: string) => Node | undefined;

/** The zone that a node is in, if it is said. */
export const zoneOf = (node: KubeObject): string | undefined => labelsOf(node)['topology.kubernetes.io/zone'];

/** The pods whose node is there: nobody answers on another. A service that does not ask whether they are ready gets them all. */
const placedPods = (service: Service, pods: readonly Pod[], nodeOf: NodeOf): readonly Pod[] =>
  podsOf(service, pods).filter(
    ({ spec }) => service.spec?.publishNotReadyAddresses || nodeOf(spec?.nodeName ?? '') !== undefined,
  );

/** Slices for all endpoints, changing as few of those that are there as can be. */
export function planSlices(
  service: Service,
  pods: readonly Pod[],
  existing: readonly EndpointSlice[],
  nextSuffix: () => string,
  nodeOf: NodeOf,
): SlicePlan {
  const families = service.spec?.ipFamilies ?? ['IPv4'];
  // Those of an earlier service of the name go with that one, whoever they serve by then.
  const owned = existing.filter((slice) => controllerOf(slice)?.uid === uidOf(service));
  const listed = placedPods(service, pods, nodeOf);
  const plans = families.flatMap((family) =>
    groupsOf(service, listed, family, nodeOf).map(({ ports, endpoints }) => {
      const own = owned.filter((slice) => slice.addressType === family && same(slice.ports ?? [], ports));
      return { own, ...placed(service, { family, ports, endpoints, own, nextSuffix }) };
    }),
  );
  const kept = new Set(plans.flatMap(({ own }) => own));
  return {
    create: plans.flatMap(({ create }) => create),
    update: plans.flatMap(({ update }) => update),
    delete: [...existing.filter((slice) => !kept.has(slice)), ...plans.flatMap(({ remove }) => remove)],
  };
}

interface Group {
  readonly ports: Ports;
  readonly endpoints: Map<string, Endpoint>;
}

/** Endpoints by the ports they listen on: named target ports may differ from pod to pod. */
function groupsOf(service: Service, pods: readonly Pod[], family: string, nodeOf: NodeOf): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const pod of pods) {
    const addresses = addressesOf(pod, family);
    if (addresses.length === 0) continue;
    const ports = portsFor(service, pod);
    const group = groups.get(JSON.stringify(ports)) ?? { ports, endpoints: new Map<string, Endpoint>() };
    groups.set(JSON.stringify(ports), group);
    group.endpoints.set(
      uidOf(pod),
      endpointFor(service, pod, addresses, zoneOf(nodeOf(pod.spec?.nodeName ?? '') ?? {})),
    );
  }
  // A service without endpoints has an empty slice: so readers know that someone has looked.
  if (groups.size === 0) return [{ ports: [], endpoints: new Map() }];
  return [...groups.values()];
}

/** The addresses of a pod that are of a family. */
export const addressesOf = ({ status }: Pod, family: string): string[] =>
  (status?.podIPs ?? [{ ip: status?.podIP ?? '' }])
    .map(({ ip = '' }) => ip)
    .filter((ip) => ip && (ip.includes(':') ? 'IPv6' : 'IPv4') === family);

export function portsFor(service: Service, pod: Pod): Ports {
  return (service.spec?.ports ?? []).flatMap(
    ({ name = '', protocol = 'TCP', port, targetPort = port, appProtocol }) => {
      const containers = pod.spec?.containers ?? [];
      const found =
        typeof targetPort === 'number'
          ? targetPort
          : containers
              .flatMap(({ ports = [] }) => ports)
              .find((each) => each.name === targetPort && (each.protocol ?? 'TCP') === protocol)?.containerPort;
      return found === undefined ? [] : [{ name, protocol, port: found, ...(appProtocol && { appProtocol }) }];
    },
  );
}

/** The name of a pod below that of its service, if it has one. */
export const hostnameIn = (service: Service, { spec }: Pod): string | undefined =>
  spec?.subdomain === nameOf(service) ? spec.hostname : undefined;

/** A pod as an endpoint. It is never ready while it is going, unless the service says that readiness does not matter. */
function endpointFor(service: Service, pod: Pod, addresses: string[], zone: string | undefined): Endpoint {
  const serving = isReady(pod);
  const terminating = isDeleting(pod);
  const hostname = hostnameIn(service, pod);
  return {
    addresses,
    conditions: { ready: service.spec?.publishNotReadyAddresses || (serving && !terminating), serving, terminating },
    ...(hostname && { hostname }),
    ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),
    ...(zone && { zone }),
    targetRef: { kind: 'Pod', namespace: namespaceOf(pod), name: nameOf(pod), uid: uidOf(pod) },
  };
}

interface Placing extends Group {
  readonly family: string;
  readonly own: readonly EndpointSlice[];
  readonly nextSuffix: () => string;
}

/** Endpoints stay in the slice they are in; new ones fill the gaps, then new slices. */
function placed(service: Service, placing: Placing) {
  const { endpoints, own, nextSuffix } = placing;
  const { filled, rest } = staying(placing);
  for (const { stay } of filled) stay.push(...rest.splice(0, atMost - stay.length));
  const needed = filled.filter(({ stay }, index) => stay.length > 0 || (endpoints.size === 0 && index === 0));
  const create: EndpointSlice[] = [];
  while (rest.length > 0 || (endpoints.size === 0 && own.length === 0 && create.length === 0)) {
    create.push(sliceFor(service, placing, rest.splice(0, atMost), nextSuffix()));
  }
  return {
    create,
    update: changed(needed, sliceLabels(service)),
    remove: filled.filter((each) => !needed.includes(each)).map(({ before }) => before),
  };
}

/** A slice, and the endpoints that are to be in it. */
interface Filled {
  readonly before: EndpointSlice;
  readonly stay: Endpoint[];
}

/** Which endpoints stay in which slice, and the rest of them. */
function staying({ endpoints, own }: Placing): { readonly filled: readonly Filled[]; readonly rest: Endpoint[] } {
  const left = new Map(endpoints);
  const filled = own.map((before) => {
    const stay = (before.endpoints ?? []).flatMap(({ targetRef }) => {
      const endpoint = left.get(targetRef?.uid ?? '');
      left.delete(targetRef?.uid ?? '');
      return endpoint ?? [];
    });
    return { before, stay: stay.slice(0, atMost) };
  });
  return { filled, rest: [...left.values()] };
}

const changed = (filled: readonly Filled[], labels: Readonly<Record<string, string>>) =>
  filled.flatMap(({ before, stay }) =>
    same(before.endpoints ?? [], stay) && same(before.metadata?.labels ?? {}, labels)
      ? []
      : [{ before, after: { ...before, metadata: { ...before.metadata, labels }, endpoints: stay } }],
  );

const sliceFor = (
  service: Service,
  { family, ports }: Placing,
  endpoints: Endpoint[],
  suffix: string,
): EndpointSlice => ({
  metadata: {
    name: `${nameOf(service)}-${suffix}`,
    namespace: namespaceOf(service),
    labels: sliceLabels(service),
    ownerReferences: [managedBy(service, 'v1', 'Service')],
  },
  addressType: family,
  endpoints,
  ports,
});

/** Whether two values on the wire are the same, whatever the order of their keys. */
function same(a: unknown, b: unknown): boolean {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return left.length === right.length && left.every(([key, value]) => same(value, (b as Record<string, unknown>)[key]));
}
