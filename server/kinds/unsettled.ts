import type { KubeObject } from '../base/kube-object.ts';
import { pin } from '../base/pinned.ts';

/**
 * Objects that are read otherwise than they were written, because reading fills in what writing left out. Their next
 * write is a change even if it changes nothing else. Kept by the object itself, as long as it is held in memory.
 */
const unsettled = new WeakSet<KubeObject>();

/** For `prepareCreate` of a kind: what is made has fields that only reads fill in. */
export function markUnsettled(object: KubeObject): void {
  unsettled.add(object);
  pin(object);
}

export const isUnsettled = (object: KubeObject): boolean => unsettled.has(object);
