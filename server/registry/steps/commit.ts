import { deepEqual, sameMembers } from '../../base/deep-equal.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { badRequest } from '../../base/status-error.ts';
import { known, type Work } from '../../base/turns/work.ts';
import { isUnsettled, markUnsettled } from '../../kinds/unsettled.ts';
import { sameOwnership } from '../../patch/apply/track-update.ts';
import type { Change } from '../../store/store.ts';
import type { Draft } from '../draft.ts';
import { isWithNothing, markWithNothing, withoutBytes } from '../empty-bytes.ts';
import { toStorage } from '../resource.ts';

/** Decides what the store is to do. */
export function commit(draft: Draft): void | Work<void> {
  const { call, kept } = draft;
  const { rules, served, custom } = call.resource;
  // Nothing is stored of it, though a dry run shows what was sent.
  if (draft.next.metadata.selfLink && !call.options.dryRun) delete draft.next.metadata.selfLink;
  if (draft.emptiesBytes) markWithNothing(draft.next);
  if (rules.kept) draft.next = rules.kept(draft.next);
  if (kept && call.options.dryRun && rules.rehearsed) draft.next = rules.rehearsed(draft.next, kept);
  const { next } = draft;
  if (kept) next.metadata.resourceVersion = kept.metadata.resourceVersion;
  else if (next.metadata.resourceVersion && !call.options.dryRun) dropVersion(next);
  if (kept && goes(draft))
    draft.change = { remove: true, answer: draft.emptiesBytes ? withoutBytes(served, next) : next };
  else if (custom) return commitConverted(draft);
  else draft.change = kept ? changeOf(draft, kept) : { write: next };
}

/** In the version of the store the object loses what that one lacks: until now it was owned and validated. */
function* commitConverted(draft: Draft): Work<void> {
  draft.next = yield* known(toStorage(draft.call.resource, draft.next));
  if (draft.managed && keepsEmptyMetadata(draft)) markUnsettled(draft.next);
  draft.change = draft.kept ? changeOf(draft, draft.kept) : { write: draft.next };
}

/** Whether it loses its last holder after a delete. */
function goes({ call, next }: Draft): boolean {
  const { metadata } = next;
  if (!metadata.deletionTimestamp) return false;
  const held = (metadata.finalizers?.length ?? 0) > 0 || call.resource.rules.isHeld?.(next) === true;
  return !held && (metadata.deletionGracePeriodSeconds ?? 0) <= 0;
}

/** What is applied to a custom object is stored with its empty metadata, which no read shows. */
const keepsEmptyMetadata = ({ context }: Draft): boolean =>
  [...context.emptied].some((place) => place.startsWith('metadata.'));

/** A new object has no version yet; what is no number is not taken for one. In place. @throws 400 */
function dropVersion({ metadata }: KubeObject): void {
  const { resourceVersion = '' } = metadata;
  if (/^\d{1,20}$/.test(resourceVersion) && BigInt(resourceVersion) > 0n) {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
  delete metadata.resourceVersion;
}

/**
 * A result that equals what is stored writes nothing. Times of entries alone are no change; but they are taken along where
 * something is that cannot be read, and where an apply says something empty, which no stored object shows.
 */
function changeOf({ next, emptiesBytes, managed, context }: Draft, kept: KubeObject): Change {
  const isSame =
    sameMembers(next, kept, 'metadata') &&
    sameMembers(next.metadata, kept.metadata, 'managedFields') &&
    sameOwnership(kept.metadata.managedFields, next.metadata.managedFields) &&
    isUnsettled(kept) === isUnsettled(next) &&
    isWithNothing(kept) === emptiesBytes &&
    (!managed || context.emptied.size === 0 || deepEqual(next.metadata.managedFields, kept.metadata.managedFields)) &&
    (!emptiesBytes || deepEqual(next, kept));
  return isSame ? { keep: true } : { write: next };
}
