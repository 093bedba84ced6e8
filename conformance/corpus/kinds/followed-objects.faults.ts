import { slip } from '../fault.ts';

const slices = '../controllers/endpoint-slice/plan.ts';
const endpoints = '../controllers/endpoint-slice/endpoints.ts';
const binder = '../controllers/persistent-volume-binder/plan.ts';
const autoscaler = '../controllers/horizontal-pod-autoscaler/plan.ts';

/** What others make of Services, claims and bounds as these come, change and go. */
export default [
  slip(
    'slices of a Service without an address do not say so',
    ['component'],
    slices,
    "...(spec?.clusterIP === 'None' && { 'service.kubernetes.io/headless': '' }),",
    '',
  ),
  slip(
    'labels that a Service gets later do not come to its slices',
    ['component'],
    slices,
    'same(before.endpoints ?? [], stay) && same(before.metadata?.labels ?? {}, labels)',
    'same(before.endpoints ?? [], stay)',
  ),
  slip(
    'an endpoint does not say on which node it is',
    ['component'],
    slices,
    '...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),',
    '',
  ),
  slip(
    'Endpoints tell a pod that is not ready as ready',
    ['component'],
    endpoints,
    'const ready = isReady(pod) ||',
    'const ready = pod.spec !== undefined ||',
  ),
  slip(
    'Endpoints do not say on which node an address is',
    ['component'],
    endpoints,
    '...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),',
    '',
  ),
  slip(
    'Endpoints of pods with other ports stand beside all ports',
    ['component'],
    endpoints,
    'subsets.get(JSON.stringify(ports)) ?? { ports };',
    'subsets.values().next().value ?? { ports };',
  ),
  slip(
    'a claim gets the largest volume that fits',
    ['component'],
    binder,
    'if (difference !== 0n) return difference < 0n ? -1 : 1;',
    'if (difference !== 0n) return difference < 0n ? 1 : -1;',
  ),
  slip(
    'a claim gets a volume that cannot be used as it asks',
    ['component'],
    binder,
    'accessModes.every((mode) => volume.spec?.accessModes?.includes(mode)) &&',
    'accessModes.length > 0 &&',
  ),
  slip(
    'a claim gets a volume of another class',
    ['component'],
    binder,
    'classOf(volume) === classOf(claim) &&',
    "(classOf(volume) === '') === (classOf(claim) === '') &&",
  ),
  slip(
    'a claim for files gets a volume of blocks',
    ['component'],
    binder,
    'modeOf(volume) === modeOf(claim) &&',
    'modeOf(volume) !== undefined &&',
  ),
  slip(
    'a volume whose claim is gone stays bound',
    ['component'],
    binder,
    'if (claim && uidOf(claim) === reference.uid) return',
    'if (!claim || uidOf(claim) === reference.uid) return',
  ),
  slip(
    'an autoscaler leaves what has fewer than it allows',
    ['component'],
    autoscaler,
    'if (current < minReplicas)',
    'if (current < minReplicas && current > maxReplicas)',
  ),
  slip(
    'an autoscaler leaves what has more than it allows',
    ['component'],
    autoscaler,
    'if (current > maxReplicas)',
    'if (current > maxReplicas && current < minReplicas)',
  ),
  slip(
    'an autoscaler wakes what is to have nothing',
    ['component'],
    autoscaler,
    'if (current === 0 && minReplicas !== 0) {',
    'if (current === 0 && minReplicas > maxReplicas) {',
  ),
  slip(
    'a volume that lasts as long as its pod gets no claim',
    ['component'],
    '../controllers/ephemeral-volume/plan.ts',
    'if (isDeleting(pod) || !mayRun(pod)) return [];',
    'if (isDeleting(pod) || mayRun(pod)) return [];',
  ),
  slip(
    'a claim takes over the volume of an earlier one of its name',
    ['component'],
    '../controllers/persistent-volume-binder/plan.ts',
    '(!uid || uid === uidOf(claim))',
    "uid !== ''",
  ),
  slip(
    'a claim that a pod uses goes when it is deleted',
    ['component'],
    '../controllers/protection/plan.ts',
    'return hasIt && !used ?',
    'return hasIt ?',
  ),
  slip(
    'a budget rounds its share of available pods down',
    ['component'],
    '../controllers/disruption/plan.ts',
    'desired: amount(minAvailable, expected, Math.ceil)',
    'desired: amount(minAvailable, expected, Math.floor)',
  ),
  slip(
    'a budget counts pods as healthy that are going',
    ['component'],
    '../controllers/disruption/plan.ts',
    'isReady(pod) && !isDeleting(pod) && !Object',
    'isReady(pod) && !Object',
  ),
  slip(
    'a node that takes no pods does not say so',
    ['component'],
    '../controllers/node-lifecycle/plan.ts',
    'spec?.unschedulable ?',
    'spec?.unschedulable === null ?',
  ),
  slip(
    'a node without a network is given new pods',
    ['component'],
    '../controllers/node-lifecycle/plan.ts',
    "NetworkUnavailable: named('network-unavailable'),",
    '',
  ),
  slip(
    'a node that was short of something once is given no new pods any more',
    ['component'],
    '../controllers/node-lifecycle/plan.ts',
    '[notReady, unreachable, unschedulable, ...Object.values(troubles)]',
    '[notReady, unreachable, unschedulable]',
  ),
];
