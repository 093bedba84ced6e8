import { parseDuration } from '../../runtime/duration.ts';
import { annotationOf } from '../../runtime/kube-object.ts';
import type { Pod } from '../../runtime/resources.ts';

/**
 * What a pretended container does, as annotations of its pod say it: for all containers, or with `.name` for one.
 *
 *     touchstone.example/run-for: 1m30s      how long it runs; without it, for ever where restartPolicy is Always, else no time
 *     touchstone.example/exit-code.main: "3" what it exits with; 0 without it
 *     touchstone.example/stop-for: 500ms     how long it takes to stop when its pod is deleted; no time without it
 *     touchstone.example/log: text           what it has written
 *     touchstone.example/exec-says: text     what a command writes that is run beside it
 *     touchstone.example/exec-exit-code: "3" what such a command exits with; 0 without it
 *
 * For the whole pod: `touchstone.example/answer` or `answer.8080` is the body of the HTTP answer on its ports, which are
 * closed without it; `touchstone.example/files` is a JSON object of texts by path, for who copies from it.
 */
export interface Behaviour {
  /** Milliseconds; undefined: it runs for ever. */
  readonly runFor: number | undefined;
  readonly exitCode: number;
}

const prefix = 'touchstone.example/';

/** What the annotation says for the container, or for all of its pod. */
export const settingOf = (pod: Pod, container: string, name: string): string | undefined =>
  annotationOf(pod, `${prefix}${name}.${container}`) ?? annotationOf(pod, prefix + name);

export function behaviourOf(pod: Pod, container: string): Behaviour {
  const setting = (name: string) => settingOf(pod, container, name);
  const exitCode = setting('exit-code');
  const endless = (pod.spec?.restartPolicy ?? 'Always') === 'Always' && exitCode === undefined;
  return {
    runFor: parseDuration(setting('run-for')) ?? (endless ? undefined : 0),
    exitCode: /^\d{1,3}$/.test(exitCode ?? '') ? Number(exitCode) : 0,
  };
}

/** Milliseconds that the pod takes to stop. */
export const stopFor = (pod: Pod): number => parseDuration(annotationOf(pod, `${prefix}stop-for`)) ?? 0;
