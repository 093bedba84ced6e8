import { isAlreadyExists, isNamespaceTerminating } from '../runtime/api-error.ts';
import { bringing, itself, type Loop, type Read, type Reconciler } from '../runtime/controller.ts';
import { isDeleting, keyFor, keyOf, labelsOf, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import { orderedText } from '../runtime/ordered-text.ts';
import { byNode, podsOn } from '../runtime/pods/pods-on-node.ts';
import { randomSuffix } from '../runtime/random-name.ts';
import {
  type Endpoints,
  endpointSlices,
  endpoints,
  nodes,
  type Pod,
  pods,
  type Service,
  services,
} from '../runtime/resources.ts';
import { matchesMap } from '../runtime/selector.ts';
import { subsetsFor, withinCapacity } from './endpoints.ts';
import { labelsFor, manager, managerLabel, planSlices, serviceLabel, zoneOf } from './plan.ts';

/** The services whose selector a pod fits. */
const servicesOf = (pod: Pod, read: Read): readonly string[] =>
  read(services)
    .in(namespaceOf(pod))
    .filter(({ spec }) => matchesMap(spec?.selector, pod.metadata?.labels))
    .map(keyOf);

/** Keeps the slices of a service in step with its pods. */
const reconcileSlices: Reconciler = async ({ key, read, write }) => {
  const service = read(services).find(key);
  if (!service || isDeleting(service) || !service.spec?.selector || service.spec.type === 'ExternalName')
    return undefined;
  const namespace = namespaceOf(service);
  const own = read(endpointSlices)
    .in(namespace)
    .filter((slice) => labelsOf(slice)[serviceLabel] === nameOf(service) && labelsOf(slice)[managerLabel] === manager);
  const plan = planSlices(service, read(pods).in(namespace), own, randomSuffix, (node) => read(nodes).find(node));
  for (const slice of plan.create) await unlessTerminating(write(endpointSlices).create(slice));
  for (const { before, after } of plan.update) await write(endpointSlices).replace(before, after);
  for (const slice of plan.delete) await write(endpointSlices).delete(slice);
  return undefined;
};

/** Keeps the Endpoints of a service in step with its pods. */
const reconcileEndpoints: Reconciler = async ({ key, read, write }) => {
  const service = read(services).find(key);
  const found = read(endpoints).find(key);
  if (!service) {
    if (found && labelsOf(found)[ours] !== undefined) await write(endpoints).delete(found);
    return undefined;
  }
  if (isDeleting(service) || !service.spec?.selector || service.spec.type === 'ExternalName') return undefined;
  const wanted = endpointsFor(service, read(pods).in(namespaceOf(service)), found);
  if (!found) await unlessTerminating(write(endpoints).create(wanted));
  else if (contentOf(found) !== contentOf(wanted)) await write(endpoints).replace(found, wanted);
  return undefined;
};

const contentOf = ({ metadata, subsets = [] }: Endpoints): string =>
  orderedText([metadata?.labels ?? {}, metadata?.annotations ?? {}, subsets]);

/** What the Endpoints of a service should be. @param found those that are there: others may have added to them */
function endpointsFor(service: Service, among: readonly Pod[], found: Endpoints | undefined): Endpoints {
  const { subsets, isCut } = withinCapacity(subsetsFor(service, among));
  const labels = { ...labelsFor(service), ...((!found || labelsOf(found)[ours] !== undefined) && { [ours]: '' }) };
  const { [overCapacity]: _, ...others } = found?.metadata?.annotations ?? {};
  const annotations = { ...others, ...(isCut && { [overCapacity]: 'truncated' }) };
  const { namespace, name } = { namespace: namespaceOf(service), name: nameOf(service) };
  return { ...found, metadata: { ...found?.metadata, namespace, name, labels, annotations }, subsets };
}

/** On Endpoints that do not tell of all addresses. */
const overCapacity = 'endpoints.kubernetes.io/over-capacity';
/** Marks Endpoints that go with their service; those made by hand stay. */
const ours = 'touchstone.example/of-service';

async function unlessTerminating(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) throw error;
  }
}

export const endpointSliceLoops: readonly Loop[] = [
  {
    name: 'endpointslice',
    watches: [
      itself(services),
      bringing(pods, servicesOf),
      bringing(endpointSlices, (slice) => {
        const service = labelsOf(slice)[serviceLabel];
        return service ? [keyFor(namespaceOf(slice), service)] : [];
      }),
      {
        ...bringing(nodes, (node, read) => podsOn(read, nameOf(node)).flatMap((pod) => servicesOf(pod, read))),
        matters: (node, previous) => zoneOf(node) !== zoneOf(previous),
      },
    ],
    indexes: [byNode],
    concurrency: 5,
    reconcile: reconcileSlices,
  },
];

export const endpointLoops: readonly Loop[] = [
  {
    name: 'endpoint',
    watches: [itself(services), itself(endpoints), bringing(pods, servicesOf)],
    concurrency: 5,
    reconcile: reconcileEndpoints,
  },
];
