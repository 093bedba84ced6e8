import type { KubeObject } from '../base/kube-object.ts';
import type { Change } from '../store/store.ts';
import type { Draft } from './draft.ts';
import { differInTimesAlone } from './managers.ts';
import { raiseGeneration } from './system-fields.ts';

/** Decides what the store is to do. */
export function commit(draft: Draft): void {
  const { call, next, stored } = draft;
  if (stored) raiseGeneration(call.resource, next, stored);
  draft.change = stored ? changeOf(draft, stored) : { write: next };
}

/** A result that equals what is stored writes nothing; one that loses its last holder after a delete is removed. */
function changeOf({ call, next }: Draft, stored: KubeObject): Change {
  const { metadata } = next;
  metadata.resourceVersion = stored.metadata.resourceVersion;
  const held = (metadata.finalizers?.length ?? 0) > 0 || call.resource.rules.isHeld?.(next) === true;
  const graceful = (metadata.deletionGracePeriodSeconds ?? 0) > 0;
  if (metadata.deletionTimestamp && !held && !graceful) return { remove: true, answer: next };
  if (differInTimesAlone(next, stored)) return { keep: true };
  delete metadata.resourceVersion;
  return { write: next };
}
