import { slip } from '../fault.ts';

const deployment = '../controllers/deployment/plan.ts';
const roll = '../controllers/deployment/roll.ts';
const statefulSet = '../controllers/stateful-set/plan.ts';

/** How workloads come to have the pods that are wanted: which, in what order, and what is told of them. */
export default [
  slip(
    'a paused Deployment rolls on',
    ['component'],
    deployment,
    'const sizeFirst = paused || wasScaled',
    'const sizeFirst = (paused && !newest) || wasScaled',
  ),
  slip(
    'a template that comes to a Deployment in a pause has a set',
    ['component'],
    deployment,
    '...(!newest && !sizeFirst && {',
    '...(!newest && {',
  ),
  slip(
    'a Deployment that goes back to a template does not make it the newest revision',
    ['component'],
    '../controllers/deployment/annotations.ts',
    'if (before >= revision) return {};',
    'if (before > 0n) return {};',
  ),
  slip(
    'old sets of a Deployment are kept for ever',
    ['component'],
    '../controllers/deployment/replica-sets.ts',
    'return over > 0 ?',
    'return over > 10 ?',
  ),
  slip(
    'a Deployment does not say which revision it is at',
    ['component'],
    '../controllers/deployment/reconcile.ts',
    '...(!told && { [revisionAnnotation]: revision })',
    '...(!told && deployment.metadata?.annotations?.[revisionAnnotation] === undefined && { [revisionAnnotation]: revision })',
  ),
  slip(
    'a Deployment that rolls gives up pods before others are ready',
    ['component'],
    roll,
    '- (wanted - unavailable);',
    '- (wanted - unavailable) + 1;',
  ),
  slip(
    'a Deployment that rolls makes all new pods at once',
    ['component'],
    roll,
    'Math.min(wanted, wanted + limitsOf(deployment).surge - others)',
    'wanted',
  ),
  slip(
    'a Deployment that makes its pods anew does not wait for the old ones',
    ['component'],
    '../controllers/deployment/reconcile.ts',
    'isRecreate(deployment) ? hasPods : saysItHasPods',
    'saysItHasPods',
  ),
  slip(
    'a Deployment that has rolled does not say that it is done',
    ['component'],
    '../controllers/deployment/status.ts',
    "counts.every((key) => key === 'readyReplicas' || numbers[key] === wanted)",
    'counts.every((key) => numbers[key] > wanted)',
  ),
  slip(
    'a pod that is ready for a moment is available to its set',
    ['component'],
    '../controllers/replica-set/plan.ts',
    'availableReplicas: waits.filter((wait) => wait === 0).length,',
    'availableReplicas: alive.filter(isReady).length,',
  ),
  slip(
    'a StatefulSet rolls below its partition where a pod is made anew',
    ['component'],
    statefulSet,
    '  ordinal < partitionOf(set) ? current : update;',
    '  ordinal < partitionOf(set) && current === update ? current : update;',
  ),
  slip(
    'a StatefulSet rolls the pods before its partition',
    ['component'],
    statefulSet,
    'ordinal >= partitionOf(set); ordinal -= 1',
    'ordinal >= 0; ordinal -= 1',
  ),
  slip(
    'a StatefulSet gives up its lowest pods first',
    ['component'],
    statefulSet,
    '.sort(([a], [b]) => b - a)',
    '.sort(([a], [b]) => a - b)',
  ),
  slip(
    'a StatefulSet gives up a pod while another is still going',
    ['component'],
    statefulSet,
    'leaving.slice(0, beyond.length === leaving.length ? 1 : 0)',
    'leaving.slice(0, 1)',
  ),
  slip(
    'a StatefulSet makes a pod before the one before it is ready',
    ['component'],
    statefulSet,
    'if (inOrder && !(pod && isHealthy(pod))) break;',
    'if (inOrder && !pod) break;',
  ),
  slip(
    'pods of a DaemonSet are on every node',
    ['component'],
    '../controllers/daemon-set/placement.ts',
    'if (!isSelected(pod, node)) return { starts: false, stays: false };',
    'if (!isSelected(pod, node) && !pod) return { starts: false, stays: false };',
  ),
  slip(
    'a pod of a DaemonSet stays on a node that it may not be on any more',
    ['component'],
    '../controllers/daemon-set/placement.ts',
    'if (!isSelected(pod, node)) return { starts: false, stays: false };',
    'if (!isSelected(pod, node)) return { starts: false, stays: true };',
  ),
  slip(
    'a container that runs first is not told the index of its pod',
    ['component'],
    '../controllers/job/pods.ts',
    'if (pod.spec.initContainers) pod.spec.initContainers =',
    'if (pod.spec.initContainers && index < 0) pod.spec.initContainers =',
  ),
  slip(
    'pods stay on a node that nothing may be on any more',
    ['component'],
    '../controllers/taint-eviction/reconcile.ts',
    'if (!pod || !node) return',
    'if (!pod || !node || hasNoExecute(node)) return',
  ),
  slip(
    'a pod that bears a taint for a time goes at once',
    ['component'],
    '../controllers/taint-eviction/plan.ts',
    'return Math.max(0, added + Math.max(0, Math.min(...seconds)) * 1_000 - now);',
    'return Math.max(0, added - now);',
  ),
];
