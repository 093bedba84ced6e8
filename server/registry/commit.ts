import { deepEqual, sameMembers } from '../base/deep-equal.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { badRequest } from '../base/status-error.ts';
import { isUnsettled, markUnsettled } from '../kinds/unsettled.ts';
import { sameOwnership } from '../patch/apply/track-update.ts';
import type { Change } from '../store/store.ts';
import type { Draft } from './draft.ts';
import { isWithNothing, markWithNothing, withoutBytes } from './empty-bytes.ts';

/** Decides what the store is to do. */
export function commit(draft: Draft): void {
  const { call, stored } = draft;
  const { rules } = call.resource;
  // Nothing is stored of it, though a dry run shows what was sent.
  if (draft.next.metadata.selfLink && !call.options.dryRun) delete draft.next.metadata.selfLink;
  if (draft.emptiesBytes) markWithNothing(draft.next);
  if (rules.kept) draft.next = rules.kept(draft.next);
  if (draft.managed && call.resource.custom && keepsEmptyMetadata(draft)) markUnsettled(draft.next);
  const { next } = draft;
  if (!stored && next.metadata.resourceVersion && !call.options.dryRun) dropVersion(next);
  draft.change = stored ? changeOf(draft, stored) : { write: next };
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

/** A result that equals what is stored writes nothing; one that loses its last holder after a delete is removed. */
function changeOf(draft: Draft, stored: KubeObject): Change {
  const { call, next, emptiesBytes } = draft;
  const { resource } = call;
  const { metadata } = next;
  metadata.resourceVersion = stored.metadata.resourceVersion;
  if (metadata.deletionTimestamp) {
    const held = (metadata.finalizers?.length ?? 0) > 0 || resource.rules.isHeld?.(next) === true;
    const graceful = (metadata.deletionGracePeriodSeconds ?? 0) > 0;
    if (!held && !graceful) return { remove: true, answer: emptiesBytes ? withoutBytes(resource.served, next) : next };
  }
  return isChanged(draft, stored) ? { write: next } : { keep: true };
}

/** Times of entries alone are no change; but they are taken along where something is that cannot be read. */
const isChanged = ({ next, emptiesBytes }: Draft, stored: KubeObject): boolean =>
  !sameMembers(next, stored, 'metadata') ||
  !sameMembers(next.metadata, stored.metadata, 'managedFields') ||
  !sameOwnership(stored.metadata.managedFields, next.metadata.managedFields) ||
  isUnsettled(stored) !== isUnsettled(next) ||
  isWithNothing(stored) !== emptiesBytes ||
  (emptiesBytes && !deepEqual(next, stored));
