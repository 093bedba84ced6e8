import { storedJobs } from '../../checks/pods/stored-jobs.ts';
import { defineRule } from '../../rule.ts';
import { changeAnswer, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { validityRule } from '../field-rules.ts';
import { defaultRule } from '../unsent-rules.ts';

const kind = 'jobs';
const spec = (parts: object) => ({ spec: { suspend: true, ...parts } });

const worked = ({ spec, status }: Json): Json =>
  spec?.completionMode === 'Random' ? { ...status, active: 1 } : status;

export default [
  // `completionMode` is `NonIndexed` or `Indexed`.
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

  // `completionMode` is `NonIndexed` unless given.
  defaultRule({
    id: 'job.completion-mode.default',
    kind,
    over: spec({}),
    path: 'spec.completionMode',
    value: 'NonIndexed',
  }),

  // An `Indexed` job must have `completions`.
  validityRule({
    id: 'job.completion-mode.indexed.needs-completions',
    kind,
    accepted: {
      'with completions': spec({ completionMode: 'Indexed', completions: 2, parallelism: 2 }),
      'with none, and no pods at once': spec({ completionMode: 'Indexed', completions: 0, parallelism: 0 }),
      'with none': spec({ completionMode: 'Indexed', completions: 0 }),
    },
    // With neither number given, genuine servers fill in both.
    refused: { 'without completions': spec({ completionMode: 'Indexed', parallelism: 2 }) },
  }),

  // An `Indexed` job runs 100000 pods at once and no more.
  validityRule({
    id: 'job.completion-mode.indexed.max-parallelism',
    kind,
    accepted: { '100000 at once': spec({ completionMode: 'Indexed', completions: 2, parallelism: 100_000 }) },
    refused: { '100001 at once': spec({ completionMode: 'Indexed', completions: 2, parallelism: 100_001 }) },
  }),

  // The controller does not touch a job with a mode it does not know.
  defineRule('job.completion-mode.unknown', {
    needs: ['flags'],
    sabotage: [
      changeAnswer('works on a Job whose mode it does not know', (job) => ({ ...job, status: worked(job) }), {
        method: 'GET',
        path: /\/jobs\/[^/]+$/,
      }),
      replaceIn('items', { method: 'GET', path: /\/pods$/, with: [] }),
    ],
    async check(context) {
      const [odd, usual] = await storedJobs(context, [{ completionMode: 'Random' }, {}]);
      const { expect } = context;
      await usual?.pods(1);
      // By then the controller has come by the older one.
      expect(await odd?.pods(0), 'pods of a Job in an unknown mode').toEqual([]);
      const { spec, status } = (await odd?.read()) ?? {};
      expect(spec.completionMode).toBe('Random');
      expect(status.active ?? 0, 'active pods of it').toBe(0);
    },
  }),
];
