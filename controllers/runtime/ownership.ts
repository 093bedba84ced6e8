import { isNotFound, unlessNotFound } from './api-error.ts';
import { bringing, type Read, type Request, type Watching } from './controller.ts';
import {
  controllerOf,
  isDeleting,
  type KubeObject,
  keyOf,
  labelsOf,
  managedBy,
  nameOf,
  namespaceOf,
  uidOf,
} from './kube-object.ts';
import { forEach } from './many.ts';
import { apiVersionOf, type Resource } from './resources.ts';
import { type LabelSelector, matches } from './selector.ts';

/** Owners that manage what their selector fits, such as ReplicaSets and pods. */
export interface Family<O extends KubeObject, T extends KubeObject> {
  readonly owners: Resource<O>;
  readonly children: Resource<T>;
  readonly selector: (owner: O) => LabelSelector | undefined;
  /** Children that the selector fits and that are none of the owner's business all the same, such as by their name. */
  readonly ignores?: (owner: O, child: T) => boolean;
  /** A finalizer by which the owner holds its children back: they get it when adopted and lose it when released. */
  readonly finalizer?: string;
}

/** Who belongs to an owner, and who should begin or cease to. */
export interface OwnershipPlan<T> {
  readonly keep: readonly T[];
  readonly adopt: readonly T[];
  readonly release: readonly T[];
}

/**
 * An owner keeps what it manages and its selector fits, adopts what nobody manages and its selector fits, and releases
 * what it manages and its selector fits no longer. One that is being deleted changes nothing; nor are children adopted
 * that are going away.
 */
export function planOwnership<T extends KubeObject>(
  owner: KubeObject,
  selector: LabelSelector | undefined,
  { owned, orphans }: { readonly owned: readonly T[]; readonly orphans: readonly T[] },
): OwnershipPlan<T> {
  const fits = (child: T) => matches(selector, labelsOf(child));
  const changes = !isDeleting(owner);
  return {
    keep: owned.filter(fits),
    adopt: changes ? orphans.filter((child) => fits(child) && !isDeleting(child)) : [],
    release: changes ? owned.filter((child) => !fits(child)) : [],
  };
}

/** What an owner manages and its selector fits, as far as the cache knows. */
export const childrenOf = <O extends KubeObject, T extends KubeObject>(
  read: Read,
  owner: O,
  { children, selector, ignores = () => false }: Family<O, T>,
): readonly T[] =>
  read(children)
    .ownedBy(uidOf(owner))
    .filter((child) => matches(selector(owner), labelsOf(child)) && !ignores(owner, child));

/** Adopts and releases, then answers the children. @throws ApiError for a conflict: children change under our hands */
export async function claimChildren<O extends KubeObject, T extends KubeObject>(
  request: Pick<Request, 'read' | 'write' | 'client'>,
  owner: O,
  family: Family<O, T>,
): Promise<readonly T[]> {
  const { read } = request;
  const { children, selector, ignores = () => false } = family;
  const concerns = (child: T) => !ignores(owner, child);
  const sight = {
    owned: read(children).ownedBy(uidOf(owner)).filter(concerns),
    orphans: read(children).withoutManager(namespaceOf(owner)).filter(concerns),
  };
  const plan = planOwnership(owner, selector(owner), sight);
  await forEach(plan.release, (child) => release(request, owner, child, family));
  if (plan.adopt.length === 0 || !(await isStillThere(request, owner, family))) return plan.keep;
  const adopted: T[] = [];
  await forEach(plan.adopt, async (child) => {
    const mine = await adopt(request, owner, child, family);
    if (mine) adopted.push(mine);
  });
  return [...plan.keep, ...adopted];
}

/** The cache may be behind: an owner that is being deleted with its children left as orphans must not take them again. */
async function isStillThere<O extends KubeObject, T extends KubeObject>(
  { client }: Pick<Request, 'client'>,
  owner: O,
  { owners }: Family<O, T>,
): Promise<boolean> {
  const live = await unlessNotFound(client.get(owners, { namespace: namespaceOf(owner), name: nameOf(owner) }));
  return live !== undefined && uidOf(live) === uidOf(owner) && !isDeleting(live);
}

async function adopt<O extends KubeObject, T extends KubeObject>(
  { write }: Pick<Request, 'write'>,
  owner: O,
  child: T,
  { owners, children, finalizer }: Family<O, T>,
): Promise<T | undefined> {
  const { ownerReferences = [], finalizers = [] } = child.metadata ?? {};
  const reference = managedBy(owner, apiVersionOf(owners), owners.kind);
  const metadata = {
    ownerReferences: [...ownerReferences.filter(({ uid }) => uid !== reference.uid), reference],
    ...(finalizer && !finalizers.includes(finalizer) && { finalizers: [...finalizers, finalizer] }),
  };
  return unlessNotFound(write(children).patch(child, { metadata }));
}

async function release<O extends KubeObject, T extends KubeObject>(
  { write }: Pick<Request, 'write'>,
  owner: O,
  child: T,
  { children, finalizer }: Family<O, T>,
): Promise<void> {
  const { ownerReferences = [], finalizers = [] } = child.metadata ?? {};
  const metadata = {
    ownerReferences: ownerReferences.filter(({ uid }) => uid !== uidOf(owner)),
    ...(finalizer && { finalizers: finalizers.filter((each) => each !== finalizer) }),
  };
  try {
    await write(children).patch(child, { metadata });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** A change of a child that nobody manages brings the owners whose selector fits it. */
export const orphansOf = <O extends KubeObject, T extends KubeObject>(family: Family<O, T>): Watching =>
  bringing(family.children, (child, read) =>
    controllerOf(child)
      ? []
      : read(family.owners)
          .in(namespaceOf(child))
          .filter((owner) => matches(family.selector(owner), labelsOf(child)))
          .map(keyOf),
  );
