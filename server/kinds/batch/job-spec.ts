import { type FieldError, invalidValue, notSupported, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import type { Work } from '../../base/turns/work.ts';
import { templateFitsIfReadable } from '../apps/workload-rules.ts';
import type { PodPolicy } from '../core/pod/security.ts';
import type { PodTemplateSpec } from '../core/pod/shape.ts';
import { validatePodTemplate } from '../core/pod/spec.ts';
import { immutable, nonNegative, oneOf, positive } from '../field-rules.ts';
import { validateLabelSelector } from '../label-selector-field.ts';
import { sameValue } from '../same-value.ts';
import type { JobSpec } from './job-shape.ts';
import { neverRestarts, validateFailurePolicy } from './pod-failure-policy.ts';

const maxIndexedParallelism = 100_000;

/** A job's spec as it stands in the job itself or, without a selector of its own, in the template of a CronJob. */
export function* validateJobTemplateSpec(spec: JobSpec, policy: PodPolicy, at: FieldPath): Work<FieldError[]> {
  const pod = spec.template?.spec ?? {};
  return [
    ...nonNegative(spec.parallelism, at.child('parallelism')),
    ...nonNegative(spec.completions, at.child('completions')),
    ...positive(spec.activeDeadlineSeconds, at.child('activeDeadlineSeconds')),
    ...nonNegative(spec.backoffLimit, at.child('backoffLimit')),
    ...nonNegative(spec.ttlSecondsAfterFinished, at.child('ttlSecondsAfterFinished')),
    ...oneOf(spec.completionMode, ['NonIndexed', 'Indexed'], at.child('completionMode')),
    ...(spec.completionMode === 'Indexed' ? validateIndexed(spec, at) : []),
    ...(spec.podFailurePolicy ? validateFailurePolicy(spec.podFailurePolicy, pod, at.child('podFailurePolicy')) : []),
    ...(yield* validatePodTemplate(spec.template, policy, at.child('template'))),
    ...validateRestartPolicy(spec, at.child('template').child('spec').child('restartPolicy')),
  ];
}

function validateIndexed({ completions, parallelism = 0 }: JobSpec, at: FieldPath): FieldError[] {
  const many = `must be at most ${maxIndexedParallelism} for an indexed job`;
  return [
    ...(completions === undefined ? [required(at.child('completions'), 'an indexed job needs it')] : []),
    ...(parallelism > maxIndexedParallelism ? [invalidValue(at.child('parallelism'), parallelism, many)] : []),
  ];
}

/** A job ends when its pods do, so they must not be restarted for ever. */
function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, at: FieldPath): FieldError[] {
  const policy = template?.spec?.restartPolicy ?? '';
  if (policy === '' || policy === 'Always') return [required(at, 'must be "OnFailure" or "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(at, policy, ['OnFailure', 'Never'])];
  return podFailurePolicy ? neverRestarts(policy, at) : [];
}

/** The spec of a job, whose selector must find the pods of its template. */
export function* validateJobSpec(spec: JobSpec, policy: PodPolicy, at: FieldPath): Work<FieldError[]> {
  const selectorAt = at.child('selector');
  const selectorErrors = spec.selector ? validateLabelSelector(spec.selector, selectorAt) : [required(selectorAt)];
  return [
    ...(yield* validateJobTemplateSpec(spec, policy, at)),
    ...selectorErrors,
    ...templateFitsIfReadable(spec.template, spec.selector, at.child('template')),
  ];
}

/** `placeable`: the job has not begun, so where its pods may run is still open. */
export function* validateJobSpecUpdate(
  next: JobSpec,
  previous: JobSpec,
  placeable: boolean,
  policy: PodPolicy,
  at: FieldPath,
): Work<FieldError[]> {
  return [
    ...(yield* validateJobSpec(next, policy, at)),
    ...immutable(next.completions, previous.completions, at.child('completions')),
    ...immutable(next.selector, previous.selector, at.child('selector')),
    ...templateStays(next.template ?? {}, previous.template ?? {}, placeable, at.child('template')),
    ...immutable(next.completionMode, previous.completionMode, at.child('completionMode')),
    ...immutable(next.podFailurePolicy, previous.podFailurePolicy, at.child('podFailurePolicy')),
  ];
}

function templateStays(next: PodTemplateSpec, previous: PodTemplateSpec, placeable: boolean, at: FieldPath) {
  const same = placeable ? sameValue(withoutPlacement(next), withoutPlacement(previous)) : sameValue(next, previous);
  return same ? [] : [invalidValue(at, next, 'field is immutable')];
}

/** The template less what decides where its pods run. */
function withoutPlacement({ metadata = {}, spec = {}, ...rest }: PodTemplateSpec) {
  const { labels: _labels, annotations: _annotations, ...otherMetadata } = metadata;
  const { nodeSelector: _nodeSelector, tolerations: _tolerations, affinity = {}, ...otherSpec } = spec;
  const { nodeAffinity: _nodeAffinity, ...otherAffinity } = affinity;
  return { ...rest, metadata: otherMetadata, spec: { ...otherSpec, affinity: otherAffinity } };
}
