import { edited } from '../../sabotage/edited.ts';
import { answerWith, changeRequest, requestHeader, statusObject } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { applying } from '../matches.ts';
import { unsupported } from '../meddling.ts';

const job = 'kinds/batch/job.ts';

const jobStatus = /\/jobs\/[^/]+\/status$/;

/** The status of a Job: conditions, counts and completed indexes. */
export default [
  fault(
    'a strategic patch of the status of a Job replaces its conditions',
    ['job', 'verbs'],
    requestHeader('content-type', 'application/merge-patch+json', {
      method: 'PATCH',
      path: jobStatus,
      header: { 'content-type': /strategic/ },
    }),
  ),
  fault(
    'the status of a Job cannot be applied',
    ['job', 'apply', 'verbs'],
    unsupported({ method: 'PATCH', path: jobStatus, header: applying }),
  ),
  fault(
    'the status of a Job is replaced by who tells its version alone',
    ['job', 'rv', 'verbs'],
    answerWith(409, statusObject(409, 'Conflict'), {
      method: 'PUT',
      path: jobStatus,
      body: /^(?![\s\S]*"resourceVersion")/,
    }),
  ),
  fault(
    'the completed indexes of a Job are not patched',
    ['job', 'kinds'],
    changeRequest('', (body) => edited(body, ['status', 'completedIndexes'], () => undefined), {
      method: 'PATCH',
      path: /\/jobs\/[^/]+\/status$/,
      header: { 'content-type': /merge-patch/ },
    }),
  ),
  slip(
    'a Job that failed tells when it was complete',
    ['job'],
    '../controllers/job/status.ts',
    "...(verdict.type === 'Complete' && { completionTime: time }),",
    'completionTime: time,',
  ),
  slip('a Job does not say whether it is suspended', ['job'], job, '  spec.suspend ??= false;\n', ''),
  slip(
    'an update of a Job forgets its status',
    ['job', 'verbs'],
    job,
    '  next.status = previous.status ?? {};\n',
    '  next.status = {};\n',
  ),
  slip(
    'a status of a Job may suspend it',
    ['job'],
    job,
    '        keepSpec(next, previous);\n        next.status ??= {};\n',
    '        if (next.spec?.suspend === previous.spec?.suspend) keepSpec(next, previous);\n        next.status ??= {};\n',
  ),
  slip(
    'how many pods of a Job are ready is lost',
    ['job'],
    job,
    '  for (const condition of status.conditions ?? []) {\n    condition.lastProbeTime',
    '  delete status.ready;\n  for (const condition of status.conditions ?? []) {\n    condition.lastProbeTime',
  ),
  slip(
    'two conditions of a Job are one',
    ['job'],
    job,
    '        next.status ??= {};\n      },\n      validateUpdate: validateStatus,',
    '        next.status ??= {};\n        if (next.status.conditions) next.status.conditions = next.status.conditions.slice(-1);\n      },\n      validateUpdate: validateStatus,',
  ),
  slip(
    'a uid may wait twice to be counted',
    'job',
    job,
    'else if (seen.has(uid)) errors.push(duplicate(at.index(position), uid));',
    '',
  ),
  slip(
    'a running Job may have fewer than no active pods',
    ['job'],
    job,
    "    ...nonNegative(status.active, statusAt.child('active')),\n",
    '',
  ),
  slip(
    'two completed indexes in a row are told as a run',
    ['job'],
    '../controllers/job/completed-indexes.ts',
    'return to === from + 1 ? [`${from}`, `${to}`] : [`${from}-${to}`];',
    'return [`${from}-${to}`];',
  ),
  slip(
    'the first index of a Job is never complete',
    'job',
    '../controllers/job/count.ts',
    'isIndexed ? succeeded.flatMap(({ pod }) => indexOf(pod) ?? []) : []',
    'isIndexed ? succeeded.flatMap(({ pod }) => indexOf(pod) || []) : []',
  ),
  slip(
    'a Job that goes on began when it began first',
    'job',
    '../controllers/job/status.ts',
    'const start = job.spec?.suspend ? startTime : startTime || formatTime(now);',
    'const start = job.spec?.suspend ? startTime : (startTime && job.metadata?.creationTimestamp) || formatTime(now);',
  ),
  slip(
    'a suspended Job tells when it began',
    'job',
    '../controllers/job/status.ts',
    "news: [suspended], startTime: ''",
    'news: [suspended]',
  ),
  slip(
    'pods that run are ready to a Job',
    'job',
    '../controllers/job/status.ts',
    'ready: active.filter(isReady).length',
    "ready: active.filter((pod) => pod.status?.phase === 'Running').length",
  ),
  slip(
    'pods of a suspended Job have failed',
    'job',
    '../controllers/job/count.ts',
    "if (isStopped(pod)) return 'stopped';",
    "if (isStopped(pod) && !job.spec?.suspend) return 'stopped';",
  ),
  slip(
    'a Job that is to run fewer pods at once keeps those that it has',
    ['job'],
    '../controllers/job/plan.ts',
    '  return over > 0 ? [...doubles, ...leastDoneFirst(rest).slice(0, over)] : doubles;',
    '  return over > 0 && (job.spec?.parallelism ?? 1) === 0 ? [...doubles, ...leastDoneFirst(rest).slice(0, over)] : doubles;',
  ),
  slip(
    'a pod may be told to have failed and to have succeeded',
    ['job'],
    'kinds/batch/job.ts',
    "...validateUids(failed ?? [], seen, at.child('failed')),",
    "...validateUids(failed ?? [], new Set(), at.child('failed')),",
  ),
  slip(
    'a uid that waits to be counted may be empty',
    ['job'],
    'kinds/batch/job.ts',
    "if (uid === '')",
    "if (uid === 'x')",
  ),
  slip(
    'an index of a Job that is complete gets a pod again',
    ['component', 'job'],
    '../controllers/job/plan.ts',
    'return freeIndexes(count.runs, takenIndexes',
    'return freeIndexes([], takenIndexes',
  ),
  slip(
    'fewer than no pods of a Job may be ready',
    ['job', 'component'],
    'kinds/batch/job.ts',
    "...nonNegative(status.ready, statusAt.child('ready')),",
    '',
  ),
];
