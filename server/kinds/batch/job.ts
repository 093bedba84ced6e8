import { duplicate, type FieldError, forbiddenField, invalidValue } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { dnsLabel } from '../../base/names.ts';
import type { Work } from '../../base/turns/work.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { dropGatedFields } from '../core/pod/gates.ts';
import type { PodPolicy } from '../core/pod/security.ts';
import { changedSpecWarnings } from '../core/pod/warnings.ts';
import { nonNegative } from '../field-rules.ts';
import { specChanged } from '../same-value.ts';
import { keepSpec } from '../status-subresource.ts';
import { defineKind, type WriteContext } from '../strategy.ts';
import { generateSelector, shareTemplateLabels, validateGeneratedSelector } from './job-selector.ts';
import type { Job, JobStatus } from './job-shape.ts';
import { validateJobSpec, validateJobSpecUpdate } from './job-spec.ts';
import { jobTable } from './job-table.ts';
import { defaultFailurePolicy } from './pod-failure-policy.ts';

const trackingAnnotation = 'batch.kubernetes.io/job-tracking';
const specAt = FieldPath.of('spec');
const statusAt = FieldPath.of('status');

function setDefaults(job: Job): void {
  job.spec ??= {};
  const { spec } = job;
  // Parallelism alone means: until one pod succeeds.
  if (spec.parallelism === undefined) spec.completions ??= 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= 6;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.template ??= {};
  defaultPodTemplate(spec.template);
  defaultFailurePolicy(spec.podFailurePolicy);
  shareTemplateLabels(job);
  if (job.status) tidyStatus(job.status);
}

/** Counts of zero are left out; a condition always has its times. In place. */
function tidyStatus(status: JobStatus): void {
  for (const field of ['active', 'succeeded', 'failed'] as const) if (status[field] === 0) delete status[field];
  for (const condition of status.conditions ?? []) {
    condition.lastProbeTime ??= null;
    condition.lastTransitionTime ??= null;
  }
}

function prepareCreate(job: Job, { features }: WriteContext): void {
  job.status = {};
  if (!features.enabled('JobPodFailurePolicy')) delete job.spec?.podFailurePolicy;
  dropGatedFields(job.spec?.template?.spec, features);
  // Tells the controller that finalizers on the pods keep them until they are counted.
  if (features.enabled('JobTrackingWithFinalizers'))
    job.metadata.annotations = { ...job.metadata.annotations, [trackingAnnotation]: '' };
  else delete job.metadata.annotations?.[trackingAnnotation];
  generateSelector(job);
}

function prepareUpdate(next: Job, previous: Job, { features }: WriteContext): void {
  next.status = previous.status ?? {};
  if (!features.enabled('JobPodFailurePolicy') && !previous.spec?.podFailurePolicy) delete next.spec?.podFailurePolicy;
  dropGatedFields(next.spec?.template?.spec, features);
}

function* validate(job: Job, policy: PodPolicy): Work<FieldError[]> {
  return [
    ...validateGeneratedSelector(job),
    ...(yield* validateJobSpec(job.spec ?? {}, policy, specAt)),
    ...validateHostNames(job),
  ];
}

/** The pods of an indexed job are called by its name and their index. */
function validateHostNames({ metadata: { name = '' }, spec = {} }: Job): FieldError[] {
  const { completionMode, completions = 0 } = spec;
  if (completionMode !== 'Indexed' || completions <= 0) return [];
  const last = `${name}-${completions - 1}`;
  return dnsLabel(last).length === 0
    ? []
    : [invalidValue('metadata.name', name, `the host name of its last pod would not be valid: ${last}`)];
}

function* validateUpdate(next: Job, previous: Job, context: WriteContext): Work<FieldError[]> {
  const suspended = previous.spec?.suspend === true;
  const started = Boolean(previous.status?.startTime);
  const placeable = suspended && !started && context.features.enabled('JobMutableNodeSchedulingDirectives');
  return [
    ...trackingIsNotAdded(next, previous),
    ...(yield* validateJobSpecUpdate(next.spec ?? {}, previous.spec ?? {}, placeable, context, specAt)),
  ];
}

/** A job that was begun without finalizers on its pods cannot be counted by them. */
function trackingIsNotAdded(next: Job, previous: Job): FieldError[] {
  const tracked = ({ metadata }: Job) => metadata.annotations?.[trackingAnnotation] !== undefined;
  const at = FieldPath.of('metadata', 'annotations').key(trackingAnnotation);
  return tracked(next) && !tracked(previous) ? [forbiddenField(at, 'cannot be added to a job')] : [];
}

function validateStatus({ status = {} }: Job): FieldError[] {
  const seen = new Set<string>();
  const { succeeded, failed } = status.uncountedTerminatedPods ?? {};
  const at = statusAt.child('uncountedTerminatedPods');
  return [
    ...nonNegative(status.active, statusAt.child('active')),
    ...nonNegative(status.succeeded, statusAt.child('succeeded')),
    ...nonNegative(status.failed, statusAt.child('failed')),
    ...nonNegative(status.ready, statusAt.child('ready')),
    ...validateUids(succeeded ?? [], seen, at.child('succeeded')),
    ...validateUids(failed ?? [], seen, at.child('failed')),
  ];
}

/** `seen` is shared by the lists among which a uid may stand only once. */
function validateUids(uids: readonly string[], seen: Set<string>, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const [position, uid] of uids.entries()) {
    if (uid === '') errors.push(invalidValue(at.index(position), uid, 'must not be empty'));
    else if (seen.has(uid)) errors.push(duplicate(at.index(position), uid));
    seen.add(uid);
  }
  return errors;
}

export const job = defineKind<Job>({
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  resource: 'jobs',
  orphansDependents: {
    warning:
      'the pods of a deleted job are kept by default; propagationPolicy=Background removes them, propagationPolicy=Orphan keeps them without this warning',
  },
  generationRises: specChanged,
  default: setDefaults,
  prepareCreate,
  prepareUpdate,
  validate,
  validateUpdate,
  warnings: changedSpecWarnings,
  selectable: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
  subresources: {
    status: {
      prepareUpdate: (next, previous) => {
        keepSpec(next, previous);
        next.status ??= {};
      },
      validateUpdate: validateStatus,
    },
  },
  table: jobTable,
});
