import { type FieldError, invalidValue, notSupported, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { dropGatedFields } from '../core/pod/gates.ts';
import type { PodPolicy } from '../core/pod/security.ts';
import { changedTemplateWarnings } from '../core/pod/warnings.ts';
import { containerCells } from '../core/pod-template/table.ts';
import { nonNegative, oneOf } from '../field-rules.ts';
import { sameValue, specChanged } from '../same-value.ts';
import { selectorText } from '../selector-text.ts';
import { keepSpec } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn, since } from '../table-cells.ts';
import { isTimeZone, namesTimeZone, scheduleProblem } from './cron-schedule.ts';
import type { JobTemplate } from './job-shape.ts';
import { validateJobTemplateSpec } from './job-spec.ts';
import { podColumns } from './job-table.ts';

interface CronJob extends KubeObject {
  spec?: {
    schedule?: string;
    timeZone?: string;
    startingDeadlineSeconds?: number;
    concurrencyPolicy?: string;
    suspend?: boolean;
    jobTemplate?: JobTemplate;
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
  };
  status?: { active?: unknown[]; lastScheduleTime?: string | null };
}

type Spec = NonNullable<CronJob['spec']>;

/** The names of its jobs are its own and eleven characters of the time. */
const maxName = 52;
const specAt = FieldPath.of('spec');
const templateAt = specAt.child('jobTemplate');
const podTemplateAt = templateAt.child('spec').child('template');

function setDefaults(object: CronJob): void {
  object.spec ??= {};
  const { spec } = object;
  spec.concurrencyPolicy ||= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  spec.jobTemplate ??= {};
  spec.jobTemplate.metadata ??= {};
  spec.jobTemplate.spec ??= {};
  spec.jobTemplate.spec.template ??= {};
  defaultPodTemplate(spec.jobTemplate.spec.template);
}

function* validate({ spec = {} }: CronJob, policy: PodPolicy): Work<FieldError[]> {
  return [
    ...validateSchedule(spec),
    ...nonNegative(spec.startingDeadlineSeconds, specAt.child('startingDeadlineSeconds')),
    ...oneOf(spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace'], specAt.child('concurrencyPolicy')),
    ...(yield* validateTemplate(spec.jobTemplate ?? {}, policy)),
    ...nonNegative(spec.successfulJobsHistoryLimit, specAt.child('successfulJobsHistoryLimit')),
    ...nonNegative(spec.failedJobsHistoryLimit, specAt.child('failedJobsHistoryLimit')),
  ];
}

function validateSchedule({ schedule = '', timeZone }: Spec): FieldError[] {
  const at = specAt.child('schedule');
  if (schedule === '') return [required(at)];
  const problem = scheduleProblem(schedule);
  return [
    ...(problem ? [invalidValue(at, schedule, problem)] : []),
    ...(namesTimeZone(schedule) && timeZone !== undefined
      ? [invalidValue(at, schedule, 'only one of timeZone and a zone in the schedule may be set')]
      : []),
  ];
}

const validateTimeZone = ({ timeZone }: Spec): FieldError[] =>
  timeZone === undefined || isTimeZone(timeZone)
    ? []
    : [invalidValue(specAt.child('timeZone'), timeZone, `unknown time zone ${timeZone}`)];

/** Each job gets a selector of its own, so a common one makes no sense. */
function* validateTemplate({ spec = {} }: JobTemplate, policy: PodPolicy): Work<FieldError[]> {
  const at = templateAt.child('spec');
  return [
    ...(yield* validateJobTemplateSpec(spec, policy, at)),
    ...(spec.selector ? [invalidValue(at.child('selector'), spec.selector, 'is generated for each job')] : []),
    ...(spec.manualSelector ? [notSupported(at.child('manualSelector'), spec.manualSelector, ['nil', 'false'])] : []),
  ];
}

const validateName = ({ metadata: { name = '' } }: CronJob): FieldError[] =>
  name.length > maxName ? [invalidValue('metadata.name', name, `must have at most ${maxName} characters`)] : [];

const podTemplateOf = (spec: Spec | undefined) => spec?.jobTemplate?.spec?.template;

const suspendCell = (suspend: boolean | undefined) => (suspend === undefined ? '<unset>' : suspend ? 'True' : 'False');

export const cronJob = defineKind<CronJob>({
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  resource: 'cronjobs',
  loosePrefixOnUpdate: true,
  generationRises: specChanged,
  default: setDefaults,
  // The failure policy of its jobs stays, whatever the feature gate says; they themselves drop it.
  prepareCreate: (object, { features }) => {
    object.status = {};
    dropGatedFields(podTemplateOf(object.spec)?.spec, features);
  },
  prepareUpdate: (next, previous, { features }) => {
    next.status = previous.status ?? {};
    dropGatedFields(podTemplateOf(next.spec)?.spec, features);
  },
  validate,
  validateCreate: (object) => [...validateTimeZone(object.spec ?? {}), ...validateName(object)],
  // A zone that has left the database in the meantime may stay.
  validateUpdate: (next, previous) =>
    next.spec?.timeZone === previous.spec?.timeZone ? [] : validateTimeZone(next.spec ?? {}),
  warnings: ({ spec = {} }, previous) => [
    ...(previous && sameValue(spec, previous.spec)
      ? []
      : // A change is told the faults of what it replaces.
        changedTemplateWarnings(podTemplateOf(previous?.spec ?? spec), undefined, podTemplateAt)),
    ...(namesTimeZone(spec.schedule ?? '')
      ? ['a time zone in spec.schedule is not supported officially: use spec.timeZone']
      : []),
  ],
  subresources: {
    status: {
      prepareUpdate: (next, previous) => {
        keepSpec(next, previous);
        next.status ??= {};
      },
    },
  },
  table: {
    columns: [
      nameColumn,
      column('Schedule', 'The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron.'),
      {
        ...column(
          'Suspend',
          'This flag tells the controller to suspend subsequent executions, it does not apply to already started executions.  Defaults to false.',
        ),
        type: 'boolean',
      },
      { ...column('Active', 'A list of pointers to currently running jobs.'), type: 'integer' },
      column('Last Schedule', 'Information when was the last time the job was successfully scheduled.'),
      ageColumn,
      ...podColumns,
    ],
    cells: (object, now) => [
      object.metadata.name,
      object.spec?.schedule ?? '',
      suspendCell(object.spec?.suspend),
      object.status?.active?.length ?? 0,
      object.status?.lastScheduleTime ? since(object.status.lastScheduleTime, now) : '<none>',
      age(object, now),
      ...containerCells(object.spec?.jobTemplate?.spec?.template),
      selectorText(object.spec?.jobTemplate?.spec?.selector),
    ],
  },
});
