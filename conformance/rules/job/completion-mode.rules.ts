import { defaultRule, validityRule } from '../field-rules.ts';

const kind = 'jobs';
const spec = (parts: object) => ({ spec: { suspend: true, ...parts } });

export default [
  validityRule({
    id: 'job.completion-mode.values',
    kind,
    accepted: {
      NonIndexed: spec({ completionMode: 'NonIndexed' }),
      Indexed: spec({ completionMode: 'Indexed', completions: 2 }),
    },
    refused: {
      'another word': spec({ completionMode: 'Random', completions: 2 }),
      'lower case': spec({ completionMode: 'indexed', completions: 2 }),
    },
  }),

  defaultRule({
    id: 'job.completion-mode.default',
    kind,
    over: spec({}),
    path: 'spec.completionMode',
    value: 'NonIndexed',
  }),

  validityRule({
    id: 'job.completion-mode.indexed.needs-completions',
    kind,
    accepted: { 'with completions': spec({ completionMode: 'Indexed', completions: 2, parallelism: 2 }) },
    // With neither number given, genuine servers fill in both.
    refused: { 'without completions': spec({ completionMode: 'Indexed', parallelism: 2 }) },
  }),

  validityRule({
    id: 'job.completion-mode.indexed.max-parallelism',
    kind,
    accepted: { '100000 at once': spec({ completionMode: 'Indexed', completions: 2, parallelism: 100_000 }) },
    refused: { '100001 at once': spec({ completionMode: 'Indexed', completions: 2, parallelism: 100_001 }) },
  }),
];
