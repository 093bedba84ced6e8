import { slip } from '../fault.ts';

/** How many pods a Job wants, and how they end. */
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
];
