import { slip } from '../fault.ts';

/** How many pods a Job wants, which they are, and how they end. */
export default [
  slip(
    'a Job may want fewer than no pods at once',
    ['job'],
    'kinds/batch/job-spec.ts',
    "    ...nonNegative(spec.parallelism, at.child('parallelism')),\n",
    '',
  ),
  slip(
    'a Job may want fewer than no successes',
    ['job'],
    'kinds/batch/job-spec.ts',
    "    ...nonNegative(spec.completions, at.child('completions')),\n",
    '',
  ),
  slip(
    'pods of a Job may not restart where they are',
    ['job'],
    'kinds/batch/job-spec.ts',
    "if (policy === '' || policy === 'Always') return",
    "if (policy === '' || policy === 'Always' || policy === 'OnFailure') return",
  ),
  slip(
    'a Job of which one success is enough may come to need more',
    ['job'],
    'kinds/batch/job-spec.ts',
    "...immutable(next.completions, previous.completions, at.child('completions')),",
    "...(previous.completions === undefined ? [] : immutable(next.completions, previous.completions, at.child('completions'))),",
  ),
  slip(
    'whom pods of a waiting Job bear may not change',
    ['job', 'component'],
    'kinds/batch/job-spec.ts',
    'tolerations: _tolerations, ',
    '',
  ),
  slip(
    'beside whom pods of a waiting Job run may change',
    ['job', 'component'],
    'kinds/batch/job-spec.ts',
    'spec: { ...otherSpec, affinity: otherAffinity } };',
    'spec: { ...otherSpec, affinity: {} } };',
  ),
  slip(
    'pods of a Job may be labelled as those of another',
    ['job', 'component'],
    'kinds/batch/job-selector.ts',
    'return labels[key] === value ? [] :',
    'return labels[key] !== undefined ? [] :',
  ),
  slip(
    'a Job may select pods of others without saying so',
    ['job', 'component'],
    'kinds/batch/job-selector.ts',
    '...(!isSelector(selector, selectorAt) || selectorMatches(selector, generated)',
    '...(true || selectorMatches(selector, generated)',
  ),
];
