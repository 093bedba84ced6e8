import { isDeleting, nameOf, namespaceOf, uidOf } from '../runtime/kube-object.ts';
import { isReady } from '../runtime/pods/pod-state.ts';
import type { Endpoints, Pod, Service } from '../runtime/resources.ts';
import { addressesOf, hostnameIn, podsOf, portsFor } from './plan.ts';

type Subset = NonNullable<Endpoints['subsets']>[number];
type Address = NonNullable<Subset['addresses']>[number];

/**
 * The older form of a service's endpoints: all in one object, ready ones apart from the others. A pod that has none of the
 * ports of the service is left out, and of one with addresses of several families that of the service's first is told.
 */
export function subsetsFor(service: Service, pods: readonly Pod[]): Subset[] {
  const subsets = new Map<string, Subset>();
  for (const pod of podsOf(service, pods)) {
    const [ip] = addressesOf(pod, service.spec?.ipFamilies?.[0] ?? 'IPv4');
    if (!ip || (isDeleting(pod) && !service.spec?.publishNotReadyAddresses)) continue;
    const ports = portsFor(service, pod).map(({ name, port = 0, protocol }) => ({
      ...(name && { name }),
      port,
      ...(protocol && { protocol }),
    }));
    if (ports.length === 0 && service.spec?.ports?.length) continue;
    const subset: Subset = subsets.get(JSON.stringify(ports)) ?? { ports };
    subsets.set(JSON.stringify(ports), subset);
    const address = addressOf(service, pod, ip);
    const ready = isReady(pod) || service.spec?.publishNotReadyAddresses;
    if (ready) subset.addresses = [...(subset.addresses ?? []), address];
    else subset.notReadyAddresses = [...(subset.notReadyAddresses ?? []), address];
  }
  return [...subsets.values()].map(sorted);
}

function addressOf(service: Service, pod: Pod, ip: string): Address {
  const hostname = hostnameIn(service, pod);
  return {
    ip,
    ...(hostname && { hostname }),
    ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),
    targetRef: { kind: 'Pod', namespace: namespaceOf(pod), name: nameOf(pod), uid: uidOf(pod) },
  };
}

const sorted = ({ addresses, notReadyAddresses, ...rest }: Subset): Subset => ({
  ...rest,
  ...(addresses && { addresses: addresses.sort(byAddress) }),
  ...(notReadyAddresses && { notReadyAddresses: notReadyAddresses.sort(byAddress) }),
});

const byAddress = (a: { readonly ip: string }, b: { readonly ip: string }) => (a.ip < b.ip ? -1 : 1);

/** Addresses in one object. */
const atMost = 1_000;

/**
 * No more addresses than one object may have: those that are ready come first, and each set of ports keeps its share,
 * rounded up as long as there is room.
 */
export function withinCapacity(subsets: readonly Subset[]): { readonly subsets: Subset[]; readonly isCut: boolean } {
  const ready = subsets.reduce((sum, { addresses = [] }) => sum + addresses.length, 0);
  const others = subsets.reduce((sum, { notReadyAddresses = [] }) => sum + notReadyAddresses.length, 0);
  if (ready + others <= atMost) return { subsets: [...subsets], isCut: false };
  const takeReady = shareOf(Math.min(ready, atMost), ready);
  const takeOthers = shareOf(Math.max(0, atMost - ready), others);
  const cut = subsets.map(({ ports = [], addresses = [], notReadyAddresses = [] }) => {
    const [up, down] = [takeReady(addresses), takeOthers(notReadyAddresses)];
    return { ...(up.length > 0 && { addresses: up }), ...(down.length > 0 && { notReadyAddresses: down }), ports };
  });
  return { subsets: cut.filter((each) => each.addresses || each.notReadyAddresses), isCut: true };
}

/** Takes of each list as much as the room is of the whole, until the room is used up. */
function shareOf(room: number, whole: number): (list: readonly Address[]) => Address[] {
  let left = room;
  return (list) => {
    const taken = list.slice(0, Math.min(left, Math.ceil((list.length / whole) * room)));
    left -= taken.length;
    return taken;
  };
}
