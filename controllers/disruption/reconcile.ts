import { unlessNotFound } from '../runtime/api-error.ts';
import { bringing, itself, type Loop, type Read, type Reconciler, type Request } from '../runtime/controller.ts';
import {
  controllerOf,
  isDeleting,
  type KubeObject,
  keyFor,
  keyOf,
  labelsOf,
  namespaceOf,
  type OwnerReference,
  uidOf,
} from '../runtime/kube-object.ts';
import {
  deployments,
  type Pod,
  type PodDisruptionBudget,
  podDisruptionBudgets,
  pods,
  type Resource,
  replicaSets,
  replicationControllers,
  statefulSets,
} from '../runtime/resources.ts';
import { scaleOf } from '../runtime/scales.ts';
import { matches } from '../runtime/selector.ts';
import { budgetStatus, managersOf, podsOf } from './plan.ts';

type Scaled = KubeObject & { spec?: { replicas?: number } };

/** Kinds that manage pods and say how many they want. */
const scaled: readonly Resource<Scaled>[] = [replicaSets, replicationControllers, statefulSets, deployments];

/** How many pods the controller of an object wants, or the controller of that one; not another one of its name. */
function wantedBy(read: Read, object: KubeObject): number | undefined {
  const reference = controllerOf(object);
  const resource = scaled.find(({ kind }) => kind === reference?.kind);
  const owner = resource && read(resource).find(keyFor(namespaceOf(object), reference?.name ?? ''));
  if (!owner || uidOf(owner) !== reference?.uid) return undefined;
  return wantedBy(read, owner) ?? owner.spec?.replicas ?? 1;
}

/** Groups of custom kinds have a dot; of built-in ones none has a scale but those above. */
const isCustom = ({ apiVersion }: OwnerReference): boolean => /\..*\//.test(apiVersion);

/** By uid, how many pods the managers of custom kinds want that have a scale. */
async function askedScales({ client }: Request, budget: PodDisruptionBudget, all: readonly Pod[]) {
  const others = managersOf(budget, all).filter(isCustom);
  const scales = others.map(async (manager) => {
    const found = await unlessNotFound(scaleOf(client, manager, namespaceOf(budget)));
    return found?.scale.metadata?.uid === manager.uid ? [[manager.uid, found.scale.spec?.replicas ?? 0] as const] : [];
  });
  return new Map((await Promise.all(scales)).flat());
}

/** Keeps count of how many pods of a budget may be evicted. */
const reconcile: Reconciler = async (request) => {
  const { key, read, write, clock, events } = request;
  const budget = read(podDisruptionBudgets).find(key);
  if (!budget || isDeleting(budget)) return undefined;
  const all = read(pods).in(namespaceOf(budget));
  if (podsOf(budget, all).length === 0)
    events.record(budget, { reason: 'NoPods', action: 'Counting', note: 'No matching pods found' });
  const scales = await askedScales(request, budget, all);
  const wanted = (pod: Pod) => wantedBy(read, pod) ?? scales.get(controllerOf(pod)?.uid ?? '');
  const { status, checkAgainAfter, failure } = budgetStatus(budget, all, wanted, clock.now());
  if (status) await write(podDisruptionBudgets).replace(budget, { ...budget, status }, 'status');
  if (failure === undefined) return checkAgainAfter;
  const reason = 'CalculateExpectedPodCountFailed';
  events.record(budget, { type: 'Warning', reason, action: 'Counting', note: failure });
  throw new Error(failure);
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
