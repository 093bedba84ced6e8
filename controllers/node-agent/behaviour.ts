import { annotationOf } from '../runtime/kube-object.ts';
import type { Pod } from '../runtime/resources.ts';

/**
 * What a pretended container does, as annotations of its pod say it: for all containers, or with `.name` for one.
 *
 *     touchstone.example/run-for: 1m30s      how long it runs; without it, for ever where restartPolicy is Always, else no time
 *     touchstone.example/exit-code.main: "3" what it exits with; 0 without it
 *     touchstone.example/stop-for: 500ms     how long it takes to stop when its pod is deleted; no time without it
 */
export interface Behaviour {
  /** Milliseconds; undefined: it runs for ever. */
  readonly runFor: number | undefined;
  readonly exitCode: number;
}

const prefix = 'touchstone.example/';

export function behaviourOf(pod: Pod, container: string): Behaviour {
  const setting = (name: string) =>
    annotationOf(pod, `${prefix}${name}.${container}`) ?? annotationOf(pod, prefix + name);
  const exitCode = setting('exit-code');
  const endless = (pod.spec?.restartPolicy ?? 'Always') === 'Always' && exitCode === undefined;
  return {
    runFor: parseDuration(setting('run-for')) ?? (endless ? undefined : 0),
    exitCode: /^\d{1,3}$/.test(exitCode ?? '') ? Number(exitCode) : 0,
  };
}

/** Milliseconds that the pod takes to stop. */
export const stopFor = (pod: Pod): number => parseDuration(annotationOf(pod, `${prefix}stop-for`)) ?? 0;

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a text such as `1m30s`; undefined for any other text. */
export function parseDuration(text: string | undefined): number | undefined {
  if (!text || !/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h)){1,4}$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    sum += Number(amount) * (units[unit] ?? 0);
  return sum;
}
