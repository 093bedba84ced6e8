import { type FieldError, forbiddenField, invalidValue } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { objectsIn } from '../annotation-json.ts';
import { relativePath } from '../volume/files.ts';
import { validateTolerations } from './scheduling.ts';
import { isSeccompProfile, seccompOfContainer, seccompOfPod } from './seccomp.ts';
import type { PodSpec, Toleration } from './shape.ts';

/** Annotations of pods and templates that the server itself reads. */

type Annotations = Readonly<Record<string, string>>;

/** On what stands for a pod that a node runs by itself. */
export const mirrorAnnotation = 'kubernetes.io/config.mirror';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const oldTolerations = 'scheduler.alpha.kubernetes.io/tolerations';
/** With the name of a container behind it. */
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/** @param at of the annotations */
export const podAnnotationErrors = (
  annotations: Annotations | undefined,
  spec: PodSpec,
  at: FieldPath,
): readonly FieldError[] =>
  annotations ? Object.entries(annotations).flatMap(([key, value]) => errorsOf(key, value, spec, at)) : none;

const none: readonly FieldError[] = [];

function errorsOf(key: string, value: string, spec: PodSpec, at: FieldPath): readonly FieldError[] {
  if (key === mirrorAnnotation)
    return spec.nodeName
      ? none
      : [invalidValue(at.key(key), value, 'must set spec.nodeName if mirror pod annotation is set')];
  if (key === deletionCost)
    return isCost(value) ? none : [invalidValue(at.key(key), value, 'must be a whole number of 32 bits')];
  if (key === oldTolerations) return value ? tolerationErrors(value, at) : none;
  if (key.startsWith(appArmorPrefix)) return appArmorErrors(key.slice(appArmorPrefix.length), value, spec, at.key(key));
  if (key === seccompOfPod || key.startsWith(seccompOfContainer)) return seccompErrors(value, at.child(key));
  return none;
}

/** Neither a plus in front nor zeros that say nothing. */
const isCost = (text: string) => /^(?:0|[1-9]\d*|-\d+)$/.test(text) && (Number(text) | 0) === Number(text);

function tolerationErrors(text: string, at: FieldPath): readonly FieldError[] {
  const list = objectsIn(text, ['key', 'operator', 'value', 'effect']);
  return list
    ? validateTolerations(list as readonly Toleration[], at.child(oldTolerations))
    : [invalidValue(at, oldTolerations, 'must be a list of tolerations in JSON')];
}

function appArmorErrors(name: string, profile: string, spec: PodSpec, at: FieldPath): FieldError[] {
  const isThere = [spec.initContainers, spec.containers, spec.ephemeralContainers].some((list) =>
    list?.some((container) => container.name === name),
  );
  const isKnown = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/');
  return [
    ...(isThere ? [] : [invalidValue(at, name, 'no container is called so')]),
    ...(isKnown ? [] : [invalidValue(at, profile, 'is no profile of AppArmor')]),
  ];
}

function seccompErrors(profile: string, at: FieldPath): readonly FieldError[] {
  if (!isSeccompProfile(profile))
    return [
      invalidValue(at, profile, 'must be runtime/default, docker/default, unconfined or localhost/ before a file'),
    ];
  return profile.startsWith('localhost/') ? relativePath(profile.slice('localhost/'.length), at) : none;
}

/** What a pod is confined to, and whether it mirrors one that a node runs by itself, is said once and for all. */
export function fixedAnnotations(
  next: Annotations | undefined = {},
  previous: Annotations | undefined = {},
  at: FieldPath,
): readonly FieldError[] {
  const keys = new Set([...Object.keys(previous), ...Object.keys(next)]);
  return [...keys].flatMap((key) => {
    if (key !== mirrorAnnotation && !key.startsWith(appArmorPrefix)) return [];
    const [before, after] = [previous, next].map((all) => (Object.hasOwn(all, key) ? all[key] : undefined));
    return before === after ? [] : [forbiddenField(at.key(key), 'is said when the pod is made, and stays')];
  });
}
