import { validityRule } from '../field-rules.ts';

export default [
  validityRule({
    id: 'job.completions.nil-parallelism',
    kind: 'jobs',
    accepted: Object.fromEntries(
      [1, 7, 5000].map((parallelism) => [`parallelism ${parallelism}`, { spec: { suspend: true, parallelism } }]),
    ),
    refused: { 'a negative one': { spec: { suspend: true, parallelism: -1 } } },
  }),
];
