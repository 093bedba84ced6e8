import { hasFinalizer, isDeleting, type KubeObject, type OwnerReference, uidOf } from '../runtime/kube-object.ts';
import { foregroundFinalizer, leavesOrphans, orphanFinalizer, ownersOf, waitsForDependents } from './graph.ts';

/** How an owner stands to its dependent. `unknown`: it cannot be said, so nothing may be collected because of it. */
export type OwnerState = 'there' | 'waiting for dependents' | 'absent' | 'unknown';

/** What to do with an object because of its owners. */
export type DependentPlan =
  | { readonly do: 'nothing' }
  /** Some owners are gone and others stay: drop the references to those that are gone. */
  | { readonly do: 'drop owners'; readonly uids: readonly string[] }
  | {
      readonly do: 'delete';
      readonly policy: 'Foreground' | 'Background' | 'Orphan';
      /** First stop blocking the owners: they wait for us, and we for them. */
      readonly unblock: boolean;
    };

/** An object stays while one owner is there. When none is, it goes, in the way that it or its last owners ask for. */
export function planDependent(
  object: KubeObject,
  stateOf: (owner: OwnerReference) => OwnerState,
  dependents: readonly KubeObject[],
): DependentPlan {
  const owners = ownersOf(object);
  if (owners.length === 0 || isDeleting(object)) return { do: 'nothing' };
  const states = owners.map(stateOf);
  if (states.includes('unknown')) return { do: 'nothing' };
  if (states.includes('there')) {
    const uids = owners.filter((_, index) => states[index] !== 'there').map(({ uid }) => uid);
    return uids.length > 0 ? { do: 'drop owners', uids } : { do: 'nothing' };
  }
  if (states.includes('waiting for dependents') && dependents.length > 0) {
    return { do: 'delete', policy: 'Foreground', unblock: dependents.some(waitsForDependents) };
  }
  return { do: 'delete', policy: policyOf(object), unblock: false };
}

function policyOf(object: KubeObject): 'Foreground' | 'Background' | 'Orphan' {
  if (hasFinalizer(object, orphanFinalizer)) return 'Orphan';
  return hasFinalizer(object, foregroundFinalizer) ? 'Foreground' : 'Background';
}

/** What to do with an object that is deleted, because of those it owns. */
export type OwnerPlan =
  | { readonly do: 'nothing' }
  /** Take its reference out of these, then its finalizer. */
  | { readonly do: 'orphan'; readonly dependents: readonly KubeObject[] }
  /** Nothing holds it back any longer. */
  | { readonly do: 'finish' }
  /** Wait until these are gone. */
  | { readonly do: 'wait'; readonly blocking: readonly KubeObject[] };

export function planOwner(owner: KubeObject, dependents: readonly KubeObject[]): OwnerPlan {
  if (leavesOrphans(owner)) return { do: 'orphan', dependents };
  if (!waitsForDependents(owner)) return { do: 'nothing' };
  const uid = uidOf(owner);
  const blocking = dependents.filter((dependent) =>
    ownersOf(dependent).some((reference) => reference.uid === uid && reference.blockOwnerDeletion),
  );
  return blocking.length > 0 ? { do: 'wait', blocking } : { do: 'finish' };
}
