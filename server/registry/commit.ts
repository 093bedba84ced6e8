import type { KubeObject } from '../base/kube-object.ts';
import { badRequest } from '../base/status-error.ts';
import { isUnsettled } from '../kinds/unsettled.ts';
import type { Change } from '../store/store.ts';
import type { Draft } from './draft.ts';
import { isWithNothing, markWithNothing, withoutBytes } from './empty-bytes.ts';
import { differInTimesAlone, isUnchanged } from './managers.ts';
import { standInOf } from './patch-document.ts';
import { raiseGeneration } from './system-fields.ts';

/** Decides what the store is to do. */
export function commit(draft: Draft): void {
  const { call, stored } = draft;
  const { resource } = call;
  resource.rules.settle?.(draft.next);
  // Nothing is stored of it, though a dry run shows what was sent.
  if (!call.options.dryRun) delete draft.next.metadata.selfLink;
  if (draft.emptiesBytes) markWithNothing(draft.next);
  if (stored && (!call.subresource || standInOf(call))) raiseGeneration(resource, draft.next, stored);
  if (resource.rules.kept) draft.next = resource.rules.kept(draft.next);
  if (stored) {
    draft.change = changeOf(draft, stored);
    return;
  }
  if (!call.options.dryRun) dropVersion(draft.next);
  draft.change = { write: draft.next };
}

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
  const held = (metadata.finalizers?.length ?? 0) > 0 || resource.rules.isHeld?.(next) === true;
  const graceful = (metadata.deletionGracePeriodSeconds ?? 0) > 0;
  if (metadata.deletionTimestamp && !held && !graceful)
    return { remove: true, answer: emptiesBytes ? withoutBytes(resource.served, next) : next };
  if (changesNothing(draft, stored)) return { keep: true };
  delete metadata.resourceVersion;
  return { write: next };
}

/** Times of entries alone are no change; but they are taken along where something is that cannot be read. */
function changesNothing({ next, emptiesBytes }: Draft, stored: KubeObject): boolean {
  if (isUnsettled(stored) || isWithNothing(stored) !== emptiesBytes) return false;
  return emptiesBytes ? isUnchanged(next, stored) : differInTimesAlone(next, stored);
}
