import { type FieldError, forbiddenField } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { eachOf } from '../../field-rules.ts';
import type { Container, Pod, PodTemplateSpec, SeccompProfile } from './shape.ts';

/** Annotations that say what fields of a security context say now. */
export const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
/** With the name of a container behind it. */
export const seccompOfContainer = 'container.seccomp.security.alpha.kubernetes.io/';

const local = 'localhost/';
const profiles: ReadonlyMap<string, string> = new Map([
  ['runtime/default', 'RuntimeDefault'],
  ['docker/default', 'RuntimeDefault'],
  ['unconfined', 'Unconfined'],
]);

const types: ReadonlySet<string> = new Set(profiles.values());

export const isSeccompProfile = (text: string): boolean => profiles.has(text) || text.startsWith(local);

/** Undefined: the annotation is not there, or names nothing. */
function profileOf(text: string | undefined): SeccompProfile | undefined {
  const type = profiles.get(text ?? '');
  if (type) return { type };
  const file = text?.startsWith(local) ? text.slice(local.length) : '';
  return file ? { type: 'Localhost', localhostProfile: file } : undefined;
}

/** What only the annotations of a new pod say is said by its fields too. In place. */
export function fillSeccompProfiles({ metadata: { annotations }, spec }: Pod): void {
  if (!annotations || !spec) return;
  fill(spec, profileOf(annotations[seccompOfPod]));
  const containers: readonly Container[] = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  for (const container of containers) fill(container, profileOf(annotations[seccompOfContainer + container.name]));
}

interface Holder {
  securityContext?: { seccompProfile?: SeccompProfile };
}

function fill(holder: Holder, profile: SeccompProfile | undefined): void {
  if (!profile || holder.securityContext?.seccompProfile) return;
  holder.securityContext = { ...holder.securityContext, seccompProfile: profile };
}

/** Where an annotation of a new pod, or of a template, says something else than the field. @param at of the spec */
export function seccompMismatches({ metadata, spec = {} }: PodTemplateSpec, at: FieldPath): FieldError[] {
  const annotations = metadata?.annotations;
  if (!annotations) return [];
  const check = (key: string, { securityContext }: Holder, here: FieldPath) =>
    mismatch(annotations[key], securityContext?.seccompProfile, here.child('securityContext').child('seccompProfile'));
  return [
    ...check(seccompOfPod, spec, at),
    ...(['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
      eachOf(spec[list], at.child(list), (container, here) =>
        check(seccompOfContainer + (container.name ?? ''), container, here),
      ),
    ),
  ];
}

function mismatch(text: string | undefined, profile: SeccompProfile | undefined, at: FieldPath): FieldError[] {
  if (text === undefined || !profile) return [];
  const { type = '', localhostProfile } = profile;
  const differs = (field: string) => [forbiddenField(at.child(field), 'must be as the annotation says')];
  if (type !== 'Localhost') return types.has(type) && profiles.get(text) !== type ? differs('type') : [];
  if (!text.startsWith(local)) return differs('type');
  return text.slice(local.length) === localhostProfile ? [] : differs('localhostProfile');
}
