import { bringing, itself, type Loop, type Read, type Reconciler } from '../runtime/controller.ts';
import {
  controllerOf,
  isDeleting,
  type KubeObject,
  keyFor,
  keyOf,
  labelsOf,
  namespaceOf,
} from '../runtime/kube-object.ts';
import {
  deployments,
  type Pod,
  podDisruptionBudgets,
  pods,
  type Resource,
  replicaSets,
  replicationControllers,
  statefulSets,
} from '../runtime/resources.ts';
import { matches } from '../runtime/selector.ts';
import { budgetStatus } from './plan.ts';

type Scaled = KubeObject & { spec?: { replicas?: number } };

/** Kinds that manage pods and say how many they want. */
const scaled: readonly Resource<Scaled>[] = [replicaSets, replicationControllers, statefulSets, deployments];

/** How many pods the controller of an object wants, or the controller of that one. */
function wantedBy(read: Read, object: KubeObject): number | undefined {
  const reference = controllerOf(object);
  const resource = scaled.find(({ kind }) => kind === reference?.kind);
  const owner = resource && read(resource).find(keyFor(namespaceOf(object), reference?.name ?? ''));
  if (!owner) return undefined;
  return wantedBy(read, owner) ?? owner.spec?.replicas ?? 1;
}

/** Keeps count of how many pods of a budget may be evicted. */
const reconcile: Reconciler = async ({ key, read, write, clock }) => {
  const budget = read(podDisruptionBudgets).find(key);
  if (!budget || isDeleting(budget)) return undefined;
  const all = read(pods).in(namespaceOf(budget));
  const { status, checkAgainAfter } = budgetStatus(budget, all, (pod) => wantedBy(read, pod), clock.now());
  if (status) await write(podDisruptionBudgets).replace(budget, { ...budget, status }, 'status');
  return checkAgainAfter;
};

const budgetsOf = (pod: Pod, read: Read): readonly string[] =>
  read(podDisruptionBudgets)
    .in(namespaceOf(pod))
    .filter(({ spec }) => matches(spec?.selector, labelsOf(pod)))
    .map(keyOf);

const budgetsBeside = (object: KubeObject, read: Read): readonly string[] =>
  read(podDisruptionBudgets).in(namespaceOf(object)).map(keyOf);

export const disruptionLoops: readonly Loop[] = [
  {
    name: 'disruption',
    watches: [
      itself(podDisruptionBudgets),
      bringing(pods, budgetsOf),
      ...scaled.map((resource) => bringing(resource, budgetsBeside)),
    ],
    reconcile,
  },
];
