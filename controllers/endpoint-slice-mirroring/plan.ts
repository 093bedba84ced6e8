import { managerLabel, serviceLabel } from '../endpoint-slice/plan.ts';
import { annotationOf, isDeleting, labelsOf, managedBy, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import { orderedText } from '../runtime/ordered-text.ts';
import type { EndpointSlice, Endpoints, Service } from '../runtime/resources.ts';

export const manager = 'endpointslicemirroring-controller.k8s.io';

/** On Endpoints: whoever keeps them writes slices too, or wants none. */
const skipLabel = 'endpointslice.kubernetes.io/skip-mirror';
/** On Endpoints that stand for the leader of some programs, and for nothing to connect to. */
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';
const lastTriggerAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';
const appliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** Addresses of a subset that are mirrored; more are left out. */
const mostAddresses = 1_000;

type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];
type Subset = NonNullable<Endpoints['subsets']>[number];
type Address = NonNullable<Subset['addresses']>[number];

/** Whether Endpoints are kept by hand for a Service without a selector, and are to be mirrored. */
export const isMirrored = (endpoints: Endpoints, service: Service | undefined): boolean =>
  !isDeleting(endpoints) &&
  labelsOf(endpoints)[skipLabel] !== 'true' &&
  annotationOf(endpoints, leaderAnnotation) === undefined &&
  service !== undefined &&
  !service.spec?.selector;

export interface MirrorPlan {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly { readonly before: EndpointSlice; readonly after: EndpointSlice }[];
  readonly delete: readonly EndpointSlice[];
}

/** One slice for each set of ports and each family of addresses; what is there for it already is kept. */
export function planMirror(
  endpoints: Endpoints,
  existing: readonly EndpointSlice[],
  nextSuffix: () => string,
): MirrorPlan {
  const left = [...existing];
  const create: EndpointSlice[] = [];
  const update: { before: EndpointSlice; after: EndpointSlice }[] = [];
  for (const wanted of (endpoints.subsets ?? []).flatMap((subset) => slicesOf(endpoints, subset))) {
    const index = left.findIndex(
      ({ addressType, ports }) => addressType === wanted.addressType && same(ports ?? [], wanted.ports),
    );
    if (index < 0) {
      create.push({ ...wanted, metadata: { ...wanted.metadata, name: `${nameOf(endpoints)}-${nextSuffix()}` } });
      continue;
    }
    const [before] = left.splice(index, 1) as [EndpointSlice];
    const { labels, annotations } = wanted.metadata ?? {};
    const after = { ...before, metadata: { ...before.metadata, labels, annotations }, endpoints: wanted.endpoints };
    if (!same(contentOf(before), contentOf(after as EndpointSlice)))
      update.push({ before, after: after as EndpointSlice });
  }
  return { create, update, delete: left };
}

const same = (a: unknown, b: unknown): boolean => orderedText(a) === orderedText(b);
const contentOf = ({ metadata, endpoints }: EndpointSlice) => [
  metadata?.labels ?? {},
  metadata?.annotations ?? {},
  endpoints ?? [],
];

function slicesOf(owner: Endpoints, { addresses = [], notReadyAddresses = [], ports = [] }: Subset): EndpointSlice[] {
  const all = [
    ...addresses.map((address) => ({ address, ready: true })),
    ...notReadyAddresses.map((address) => ({ address, ready: false })),
  ].slice(0, mostAddresses);
  return ['IPv4', 'IPv6'].flatMap((addressType) => {
    const own = all.filter(({ address }) => (address.ip.includes(':') ? 'IPv6' : 'IPv4') === addressType);
    if (own.length === 0) return [];
    return {
      metadata: metadataFor(owner),
      addressType,
      endpoints: own.map(({ address, ready }) => endpointFor(address, ready)),
      ports: ports.map(({ name = '', protocol = 'TCP', port, appProtocol }) => ({
        name,
        protocol,
        port,
        ...(appProtocol && { appProtocol }),
      })),
    };
  });
}

function metadataFor(owner: Endpoints) {
  const { [lastTriggerAnnotation]: _, [appliedAnnotation]: __, ...annotations } = owner.metadata?.annotations ?? {};
  return {
    namespace: namespaceOf(owner),
    labels: { ...owner.metadata?.labels, [serviceLabel]: nameOf(owner), [managerLabel]: manager },
    annotations,
    ownerReferences: [managedBy(owner, 'v1', 'Endpoints')],
  };
}

const endpointFor = ({ ip, hostname, nodeName, targetRef }: Address, ready: boolean): Endpoint => ({
  addresses: [ip],
  conditions: { ready },
  ...(hostname && { hostname }),
  ...(nodeName && { nodeName }),
  ...(targetRef && { targetRef }),
});
