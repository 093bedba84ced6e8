import { waitAfter } from '../runtime/backoff.ts';
import type { Pod } from '../runtime/resources.ts';

/** Milliseconds. */
const backoff = { first: 10_000, most: 300_000 };

/** Milliseconds before a container begins again that has ended so often in a row: none the first time, then more and more. */
export const restartWait = (ends: number): number => (ends <= 1 ? 0 : waitAfter(ends - 1, backoff));

/** Whether a container of the pod that ended so begins again. */
export function isRestarted(pod: Pod, exitCode: number): boolean {
  const policy = pod.spec?.restartPolicy ?? 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}
