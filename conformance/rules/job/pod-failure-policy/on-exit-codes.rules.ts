import { isFinished } from '../../../checks/pods/job-runs.ts';
import { defineRule } from '../../../rule.ts';
import { removeIn } from '../../../sabotage/transforms.ts';
import type { RuleContext } from '../../../verbs/context.ts';
import { said } from '../../../verbs/said.ts';
import { claims, jobReads } from '../../job-sabotages.ts';
import { containers, exits, initContainers, matching, storedAndFailed } from './verdicts.ts';

const rules = (onExitCodes: object) => [exits('FailJob', onExitCodes)];
const listed = rules({ operator: 'In', values: [42] });
const notListed = rules({ operator: 'NotIn', values: [1] });
const of = (containerName: string) => rules({ operator: 'In', values: [42], containerName });

const neither = { main: 1, side: 2 };
const main = { main: 42, side: 1 };
const side = { main: 1, side: 42 };
const first = { ...neither, first: 42 };

/** No container is named that the pods do not have. */
async function refusesStrangers({ jobs, expect }: RuleContext): Promise<void> {
  const template = { spec: { restartPolicy: 'Never', containers, initContainers } };
  for (const [name, taken] of Object.entries({ main: true, first: true, none: false, '': false })) {
    const sample = jobs.sample({ spec: { suspend: true, template, podFailurePolicy: { rules: of(name) } } });
    const answer = await jobs.post(sample);
    expect(answer.status, `a rule about the container ${JSON.stringify(name)}: ${said(answer)}`).toBe(
      taken ? 201 : 422,
    );
  }
}

const ofContainers = matching(
  'on-exit-codes.container-name',
  [
    { rules: of('main'), exitCodes: main },
    { rules: of('first'), exitCodes: first },
  ],
  [
    { rules: of('main'), exitCodes: side },
    { rules: of('first'), exitCodes: main },
  ],
);

export default [
  matching('on-exit-codes.in', [{ rules: listed, exitCodes: main }], [{ rules: listed, exitCodes: neither }]),
  matching(
    'on-exit-codes.not-in',
    [{ rules: notListed, exitCodes: side }],
    [{ rules: notListed, exitCodes: { main: 1, side: 1 } }],
  ),
  matching(
    'on-exit-codes.zero-excluded',
    [{ rules: notListed, exitCodes: { main: 0, side: 7 } }],
    [{ rules: notListed, exitCodes: { main: 0, side: 1 } }],
  ),
  // A rule may be about one container, or about one that runs first.
  {
    ...ofContainers,
    async check(context: RuleContext) {
      await refusesStrangers(context);
      return ofContainers.check(context);
    },
  },
  matching(
    'on-exit-codes.container-name.null',
    [
      { rules: listed, exitCodes: main },
      { rules: listed, exitCodes: side },
      { rules: listed, exitCodes: first },
    ],
    [],
  ),

  // An operator nobody knows is met by nothing.
  defineRule('job.pod-failure-policy.on-exit-codes.unknown-operator', {
    needs: ['flags'],
    sabotage: [removeIn('status.failed', jobReads), claims('Failed')],
    async check(context) {
      const { read } = await storedAndFailed(context, [exits('FailJob', { operator: 'Like', values: [1] })]);
      const look = { limit: context.patience * 3 };
      const job = await context.waitUntil('the failure is counted', read, ({ status }) => status.failed === 1, look);
      context.expect(isFinished(job), 'the job has ended').toBe(false);
    },
  }),
];
