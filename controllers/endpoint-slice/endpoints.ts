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
    if (ready) subset.addresses = [...(subset.addresses ?? []), address].sort(byAddress);
    else subset.notReadyAddresses = [...(subset.notReadyAddresses ?? []), address].sort(byAddress);
  }
  return [...subsets.values()];
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

const byAddress = (a: { readonly ip: string }, b: { readonly ip: string }) => (a.ip < b.ip ? -1 : 1);
