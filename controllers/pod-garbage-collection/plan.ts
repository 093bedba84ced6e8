import { isDeleting, olderFirst } from '../runtime/kube-object.ts';
import { mayRun } from '../runtime/pods/pod-state.ts';
import type { Pod } from '../runtime/resources.ts';

/** Pods that have ended may stay until they are so many in all. */
const mostEnded = 12_500;
/** How long a node must have been missing before its pods go, in milliseconds: a cache may be late. */
export const quarantine = 40_000;

/** The names of nodes that pods are bound to and that are not there. */
export const missingNodes = (pods: readonly Pod[], isThere: (node: string) => boolean): ReadonlySet<string> =>
  new Set(pods.flatMap(({ spec }) => (spec?.nodeName && !isThere(spec.nodeName) ? [spec.nodeName] : [])));

export interface Leftovers {
  /** Pods on nodes that are gone: nobody is left to tell how they ended. */
  readonly orphaned: readonly Pod[];
  /** Pods that are being deleted and were never on a node: nobody is there to let them go. */
  readonly unplaced: readonly Pod[];
  /** Pods that have ended beyond the most, the oldest first. */
  readonly ended: readonly Pod[];
}

/** Pods that nobody else will remove. @param gone nodes that are gone for certain */
export function leftovers(pods: readonly Pod[], gone: ReadonlySet<string>, most = mostEnded): Leftovers {
  const ended = pods.filter((pod) => !mayRun(pod) && !gone.has(pod.spec?.nodeName ?? ''));
  return {
    orphaned: pods.filter(({ spec }) => gone.has(spec?.nodeName ?? '')),
    unplaced: pods.filter((pod) => isDeleting(pod) && !pod.spec?.nodeName),
    ended: ended.length > most ? [...ended].sort(olderFirst).slice(0, ended.length - most) : [],
  };
}
