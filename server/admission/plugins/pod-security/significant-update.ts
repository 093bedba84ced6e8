import { type CheckedPod, containersOf } from './checked-pod.ts';

const profiles = /^(?:seccomp\.security\.alpha\.|container\.(?:seccomp|apparmor)\.security\.)/;

const sensitive = (pod: CheckedPod) =>
  JSON.stringify([
    containersOf(pod).map(({ name, image }) => [name, image]),
    Object.entries(pod.metadata?.annotations ?? {})
      .filter(([key]) => profiles.test(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);

/** Whether an update brings another container, image or profile: all else that may change means nothing to the standards. */
export const changesSecurity = (next: CheckedPod, previous: CheckedPod): boolean =>
  sensitive(next) !== sensitive(previous);
