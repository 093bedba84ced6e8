import { isAlreadyExists, isNamespaceTerminating, messageOf } from '../runtime/api-error.ts';
import {
  bringing,
  itself,
  type Loop,
  managerOf,
  type Outcome,
  type Read,
  type Request,
} from '../runtime/controller.ts';
import { isDeleting, keyOf, nameOf, namespaceOf, uidOf } from '../runtime/kube-object.ts';
import { forEach } from '../runtime/many.ts';
import { childrenOf, claimChildren, type Family, orphansOf } from '../runtime/ownership.ts';
import { deletePod } from '../runtime/pods/delete-pod.ts';
import {
  type ControllerRevision,
  controllerRevisions,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  pods,
  type StatefulSet,
  statefulSets,
} from '../runtime/resources.ts';
import { currentRevision, dropOutdated, revisionsOf, templateOf } from '../runtime/revisions.ts';
import { goesWithNamesake, retainClaims } from './claim-retention.ts';
import { planStatefulSet, revisionsFor, type StatefulSetPlan, statefulSetStatus } from './plan.ts';
import { claimsFor, isClaimOf, type Mould, ordinalOf, podFor, revisionOf } from './pods.ts';

const family: Family<StatefulSet, Pod> = {
  owners: statefulSets,
  children: pods,
  selector: ({ spec }) => spec?.selector,
  ignores: (set, pod) => ordinalOf(set, pod) === undefined,
};

/** Keeps pods with names, claims and an order of their own. */
async function reconcile(request: Request): Promise<Outcome> {
  const { key, read, write, clock } = request;
  const set = read(statefulSets).find(key);
  if (!set || isDeleting(set)) return undefined;
  const newest = await currentRevision(request, set, family);
  const claimed = await claimChildren(request, set, family);
  const revisions = revisionsFor(set, claimed, nameOf(newest));
  let failure: unknown;
  try {
    await retainClaims(request, set, claimed);
    await act(request, set, planStatefulSet(set, claimed, revisions, clock.now()), newest);
  } catch (error) {
    failure = error;
  }
  const left = childrenOf(read, set, family);
  const { status, checkAgainAfter } = statefulSetStatus(set, left, revisions, clock.now());
  if (status) await write(statefulSets).replace(set, { ...set, status }, 'status');
  await dropOutdated(request, set, [revisions.current, revisions.update, ...left.map(revisionOf)]);
  if (failure) throw failure;
  return checkAgainAfter;
}

async function act(request: Request, set: StatefulSet, plan: StatefulSetPlan, newest: ControllerRevision) {
  await forEach(plan.delete, (pod) => deletePod(request, set, pod));
  await forEach(plan.create, ({ ordinal, revision }) =>
    create(request, set, ordinal, mouldOf(request, set, revision, newest)),
  );
}

/** The template of a revision; that of the set where the revision is gone. */
function mouldOf({ read }: Request, set: StatefulSet, name: string, newest: ControllerRevision): Mould {
  const kept = read(controllerRevisions)
    .ownedBy(uidOf(set))
    .find((each) => nameOf(each) === name);
  return !kept || name === nameOf(newest)
    ? { revision: nameOf(newest), template: set.spec?.template }
    : { revision: name, template: templateOf(kept) };
}

/** First the claims, then the pod that uses them. */
async function create(request: Request, set: StatefulSet, ordinal: number, mould: Mould): Promise<void> {
  const { write, events } = request;
  const pod = podFor(set, ordinal, mould);
  try {
    for (const claim of claimsFor(set, ordinal)) await ensureClaim(request, { set, pod, claim });
    await write(pods).create(pod);
  } catch (error) {
    if (isNamespaceTerminating(error)) return;
    const note = `Error creating ${nameOf(pod)}: ${messageOf(error)}`;
    events.record(set, { type: 'Warning', reason: 'FailedCreate', action: 'Creating', note });
    throw error;
  }
  events.record(set, { reason: 'SuccessfulCreate', action: 'Creating', note: `Created pod: ${nameOf(pod)}` });
}

/** A claim that a pod of the set needs before it is made. */
interface Wanted {
  readonly set: StatefulSet;
  readonly pod: Pod;
  readonly claim: PersistentVolumeClaim;
}

/** A pod that took a claim on its way out would soon be without: it waits until that one has gone, and gets another. */
async function ensureClaim({ read, write, events }: Request, { set, pod, claim }: Wanted): Promise<void> {
  const found = read(persistentVolumeClaims).find(keyOf(claim));
  if (found && isDeleting(found)) throw new Error(`the claim ${nameOf(claim)} is being deleted`);
  if (found && goesWithNamesake(found, pod)) throw new Error(`the claim ${nameOf(claim)} goes with an earlier pod`);
  if (found) return;
  try {
    await write(persistentVolumeClaims).create(claim);
  } catch (error) {
    if (isAlreadyExists(error)) return;
    throw error;
  }
  events.record(set, { reason: 'SuccessfulCreate', action: 'Creating', note: `Created claim: ${nameOf(claim)}` });
}

/** The sets whose pods may wait for a claim to go. */
const waitingFor = (claim: PersistentVolumeClaim, read: Read): readonly string[] =>
  isDeleting(claim)
    ? read(statefulSets)
        .in(namespaceOf(claim))
        .filter((set) => isClaimOf(set, claim))
        .map(keyOf)
    : [];

export const statefulSetLoops: readonly Loop[] = [
  {
    name: 'statefulset',
    watches: [
      itself(statefulSets),
      managerOf(pods, 'StatefulSet'),
      orphansOf(family),
      orphansOf(revisionsOf(family)),
      managerOf(controllerRevisions, 'StatefulSet'),
      bringing(persistentVolumeClaims, waitingFor),
    ],
    concurrency: 5,
    reconcile,
  },
];
