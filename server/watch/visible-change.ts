import { perObject } from '../base/caches/memo.ts';
import type { Stored, StoreEvent } from '../store/store.ts';
import { withRevision } from '../store/stored-value.ts';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** A change as a watcher is told of it. */
export interface VisibleChange {
  readonly type: ChangeType;
  readonly stored: Stored;
}

export type Filter = (stored: Stored) => boolean;

/** The last state before a write, under the write's version: the same for every watcher that the object leaves. */
const stateLeft = perObject((event: StoreEvent) => withRevision(event.previous as Stored, event.revision));

/**
 * What a write looks like through a filter: an object that starts to match is added, one that stops is deleted, and a
 * write between two states that do not match is not seen.
 */
export function visibleChange(event: StoreEvent, matches: Filter): VisibleChange | undefined {
  const { previous, current, removed } = event;
  const was = previous !== undefined && matches(previous);
  if (current && matches(current)) return { type: was ? 'MODIFIED' : 'ADDED', stored: current };
  if (!was) return undefined;
  return { type: 'DELETED', stored: removed ?? stateLeft(event) };
}
