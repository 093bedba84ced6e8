import type { CheckedPod } from './checked-pod.ts';
import { reasonsText, violations } from './evaluate.ts';
import { type LevelVersion, levelText } from './policy.ts';

/** More are not looked at. */
const most = 3000;

/** Warnings about the pods of a namespace (in order of names) that break a level which is now enforced; they go on running. */
export function existingPodWarnings(namespace: string, pods: readonly CheckedPod[], level: LevelVersion): string[] {
  const groups = new Map<string, { name: string; others: number }>();
  for (const pod of pods.slice(0, most)) {
    const found = violations(pod, level);
    if (found.length === 0) continue;
    const reasons = reasonsText(found);
    const name = pod.metadata?.name ?? '';
    const group = groups.get(reasons);
    if (!group) groups.set(reasons, { name, others: 0 });
    else group.others++;
  }
  const lines = [...groups].map(([reasons, { name, others }]) => `${name}${othersText(others)}: ${reasons}`).sort();
  const title = `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level "${levelText(level)}"`;
  return [
    ...(pods.length > most
      ? [`new PodSecurity enforce level only checked against the first ${most} of ${pods.length} existing pods`]
      : []),
    ...(lines.length > 0 ? [title, ...lines] : []),
  ];
}

const othersText = (count: number) => (count === 0 ? '' : ` (and ${count} other pod${count > 1 ? 's' : ''})`);
