import { changeRequest, removeIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip, slips } from '../fault.ts';
import { lenient } from '../meddling.ts';

const jobSpec = 'kinds/batch/job-spec.ts';
const job = 'kinds/batch/job.ts';

/** How what is owned shall go is the body's or the query's affair. */
const inBackground = (body: Json): Json =>
  body?.propagationPolicy === 'Foreground' ? { ...body, propagationPolicy: 'Background' } : body;

/** The spec of a Job: what it may say, what is filled in, what may change, and when a Job ends. */
export default [
  fault('a negative number of retries is accepted', 'job', lenient({ method: 'POST', path: /\/jobs$/ })),
  fault(
    'Jobs are not defaulted on apply',
    ['dryrun', 'job'],
    removeIn('spec.backoffLimit', { method: 'PATCH', path: /\/jobs\// }),
  ),
  fault(
    'a Job is never deleted in the foreground',
    ['job', 'deletion'],
    changeRequest('', inBackground, { method: 'DELETE', path: /\/jobs\/[^/]+$/ }),
  ),
  slip(
    'a deadline of a Job may be negative',
    ['job'],
    jobSpec,
    "    ...positive(spec.activeDeadlineSeconds, at.child('activeDeadlineSeconds')),\n",
    '',
  ),
  slip(
    'an indexed Job may have no number of completions',
    ['job'],
    jobSpec,
    "...(completions === undefined ? [required(at.child('completions'), 'an indexed job needs it')] : []),",
    '',
  ),
  slip(
    'how long a Job is kept when it is done may not change',
    ['job'],
    jobSpec,
    "...immutable(next.completionMode, previous.completionMode, at.child('completionMode')),",
    "...immutable(next.completionMode, previous.completionMode, at.child('completionMode')),\n    ...immutable(next.ttlSecondsAfterFinished, previous.ttlSecondsAfterFinished, at.child('ttlSecondsAfterFinished')),",
  ),
  slip(
    'the completions of a Job may change',
    'job',
    jobSpec,
    "  ...immutable(next.completions, previous.completions, at.child('completions')),\n",
    '',
  ),
  slip(
    'the mode of a Job may change',
    'job',
    jobSpec,
    "  ...immutable(next.completionMode, previous.completionMode, at.child('completionMode')),\n",
    '',
  ),
  slip(
    'pods of a Job may always restart',
    'job',
    jobSpec,
    "if (policy === '' || policy === 'Always') return",
    "if (policy === '') return",
  ),
  slip('the template of a job may change and may not stay', ['job'], jobSpec, ' same ?', ' !(same) ?'),
  slip(
    'a Job may have no time at all',
    ['job'],
    jobSpec,
    "...positive(spec.activeDeadlineSeconds, at.child('activeDeadlineSeconds')),",
    "...nonNegative(spec.activeDeadlineSeconds, at.child('activeDeadlineSeconds')),",
  ),
  slip(
    'a finished Job may be kept for less than no time',
    ['job'],
    jobSpec,
    "    ...nonNegative(spec.ttlSecondsAfterFinished, at.child('ttlSecondsAfterFinished')),\n",
    '',
  ),
  slip(
    'an indexed Job may have any number of pods at once',
    ['job'],
    jobSpec,
    '(parallelism > maxIndexedParallelism ?',
    '(parallelism > 10 * maxIndexedParallelism ?',
  ),
  slip(
    'the selector of a Job may change',
    ['job'],
    jobSpec,
    "  ...immutable(next.selector, previous.selector, at.child('selector')),\n",
    '',
  ),
  slip(
    'a Job need not select the pods of its template',
    ['job'],
    jobSpec,
    "    ...templateFitsIfReadable(spec.template, spec.selector, at.child('template')),\n",
    '',
  ),
  slip(
    'the way in which a Job is completed may be any word',
    ['job'],
    jobSpec,
    "    ...oneOf(spec.completionMode, ['NonIndexed', 'Indexed'], at.child('completionMode')),\n",
    '',
  ),
  slip(
    'a finished Job that may go at once is kept for ever',
    ['job'],
    job,
    "  spec.completionMode ??= 'NonIndexed';",
    "  spec.completionMode ??= 'NonIndexed';\n  if (!spec.ttlSecondsAfterFinished) delete spec.ttlSecondsAfterFinished;",
  ),
  slip(
    'a Job that shall not be retried is retried six times',
    ['job'],
    job,
    'spec.backoffLimit ??= 6;',
    'spec.backoffLimit ||= 6;',
  ),
  slip(
    'a Job cannot be suspended once it is made',
    ['job'],
    job,
    '    ...trackingIsNotAdded(next, previous),',
    "    ...trackingIsNotAdded(next, previous),\n    ...(next.spec?.suspend && !suspended ? [forbiddenField(specAt.child('suspend'), 'cannot be set any more')] : []),",
  ),
  slip(
    'where the pods of a Job go may change whenever it is suspended',
    ['job'],
    job,
    'const placeable = suspended && !started && context.features',
    'const placeable = (suspended || started) && suspended && context.features',
  ),
  slip(
    'the template of a running Job may change where its pods go',
    'job',
    job,
    'const placeable = suspended && !started &&',
    'const placeable = suspended || !started ||',
  ),
  slip('the name of an indexed Job may be too long for its pods', 'job', job, '  ...validateHostNames(job),\n', ''),
  slip(
    'a Job without parallelism has no completions',
    'job',
    job,
    'if (spec.parallelism === undefined) spec.completions ??= 1;',
    '',
  ),
  slip('backoffLimit is three unless it is given', 'job', job, 'spec.backoffLimit ??= 6;', 'spec.backoffLimit ??= 3;'),
  slip(
    'pods go on when their Job has had its time',
    ['job'],
    '../controllers/job/plan.ts',
    "delete: verdict?.type === 'Failed' ? active.slice(0, atMost) : [],",
    "delete: verdict?.type === 'Failed' && verdict.reason !== 'DeadlineExceeded' ? active.slice(0, atMost) : [],",
  ),
  slip(
    'a Job that failed is kept for ever',
    ['job'],
    '../controllers/job/conditions.ts',
    "(type === 'Complete' || type === 'Failed') && status === 'True')\n    ?.lastTransitionTime;",
    "type === 'Complete' && status === 'True')\n    ?.lastTransitionTime;",
  ),
  slip(
    'a Job with a selector of its own gets labels all the same',
    ['job'],
    'kinds/batch/job-selector.ts',
    'if (!spec || spec.manualSelector) return;',
    'if (!spec) return;',
  ),
  slip(
    'a job whose selector is wrong is told that its spec is',
    ['job', 'component'],
    'kinds/batch/job-selector.ts',
    ", 'selector'",
    '',
  ),
  slip(
    'a Job is deleted in the background unless said otherwise',
    ['job', 'deletion'],
    'registry/delete.ts',
    "return resource.rules.orphansDependents ? 'Orphan' : undefined;",
    "return resource.rules.orphansDependents && resource.kind !== 'Job' ? 'Orphan' : undefined;",
  ),
  slip(
    'where the pods of a suspended job run may change though it began',
    ['job'],
    'kinds/batch/job.ts',
    'suspended && !started &&',
    '(suspended || started) && suspended &&',
  ),
  slips(
    'a Job may be made with its status',
    ['job', 'component'],
    [
      { file: 'kinds/batch/job.ts', from: '  job.status = {};\n', to: '  job.status ??= {};\n' },
      { file: 'kinds/batch/job.ts', from: '    status: {\n', to: '    status: {\n      setByCreate: true,\n' },
    ],
  ),
  slip(
    'an indexed Job may come to have any number of pods at once',
    ['job'],
    'kinds/batch/job-spec.ts',
    '...(parallelism > maxIndexedParallelism ?',
    '...(parallelism > maxIndexedParallelism && parallelism > Number.MAX_SAFE_INTEGER ?',
  ),
  slip(
    'a Job with no pods at once has one',
    ['job', 'content'],
    'kinds/batch/job.ts',
    'spec.parallelism ??= 1;',
    'spec.parallelism ||= 1;',
  ),
  slip(
    'a Job that needs no success needs one',
    ['job'],
    'kinds/batch/job.ts',
    'if (spec.parallelism === undefined) spec.completions ??= 1;',
    'if (spec.parallelism === undefined || spec.completions === 0) spec.completions ||= 1;',
  ),
  slip(
    'pods of an indexed Job have no host name of their own',
    'job',
    '../controllers/job/pods.ts',
    'pod.spec.hostname = stem;',
    'pod.spec.hostname ??= nameOf(job);',
  ),
  fault(
    'the completions of a Job may change by a JSON patch',
    'component',
    lenient({ method: 'PATCH', path: /\/jobs\/[^/]+$/, header: { 'content-type': /json-patch/ } }, [422]),
  ),
  slip(
    'a finished Job is kept from its beginning on',
    'job',
    '../controllers/ttl-after-finished/plan.ts',
    'millisecondsOf(finishedAt(job))',
    'finishedAt(job) && millisecondsOf(job.status?.startTime)',
  ),
  fault(
    'a Job that may not be may be applied',
    ['job', 'component'],
    lenient({ method: 'PATCH', path: /\/jobs\/[^/]+$/, header: { 'content-type': /apply/ } }, [422]),
  ),
  slip(
    'how long a finished Job is kept is settled when it finishes',
    ['job'],
    '../controllers/ttl-after-finished/reconcile.ts',
    'watches: [itself(jobs, (job) => job.spec?.ttlSecondsAfterFinished !== undefined)],',
    'watches: [itself(jobs, ((seen: Set<string>) => (job) => {\n      const known = seen.has(uidOf(job));\n      if (job.status?.completionTime) seen.add(uidOf(job));\n      return job.spec?.ttlSecondsAfterFinished !== undefined && !known;\n    })(new Set()))],',
  ),
  slip(
    'a job that says its parallelism and no completions is to complete once',
    ['job'],
    job,
    'if (spec.parallelism === undefined) spec.completions ??= 1;',
    'spec.completions ??= 1;',
  ),
  slip(
    'where the pods of a Job go may change while they run',
    ['job'],
    'kinds/batch/job.ts',
    'const suspended = previous.spec?.suspend === true;',
    'const suspended = true;',
  ),
  slips('the deadline of a Job is looked at when it is made alone', 'job', [
    {
      file: job,
      from: 'validateJobSpec(job.spec ?? {}, policy, specAt)',
      to: 'validateJobSpec(job.metadata.resourceVersion ? { ...job.spec, activeDeadlineSeconds: undefined } : job.spec ?? {}, policy, specAt)',
    },
    {
      file: job,
      from: 'validateJobSpecUpdate(next.spec ?? {}, ',
      to: 'validateJobSpecUpdate({ ...next.spec, activeDeadlineSeconds: undefined }, ',
    },
  ]),
];
