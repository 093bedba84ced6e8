import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus, forceQuery, removeIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { validityRule } from '../field-rules.ts';
import { publishedRule } from '../published-rule.ts';
import { defaultRule, droppedRule } from '../unsent-rules.ts';

const kind = 'jobs';
const flags = ['--feature-gates=JobPodFailurePolicy=true'];
const spec = (podFailurePolicy: object, parts: object = {}) => ({
  spec: { suspend: true, podFailurePolicy, ...parts },
});
const exit = (parts: object) => ({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1], ...parts } });
const conditions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ type: `C${index}`, status: 'True' }));
const condition = (parts: object) => ({
  action: 'Ignore',
  onPodConditions: [{ type: 'DisruptionTarget', status: 'True', ...parts }],
});
const policy = (...rules: object[]) => spec({ rules });
const containers = [{ name: 'main', image: 'busybox' }];
/** All that a Job with these rules must have. */
const whole = (...rules: object[]) => spec({ rules }, { template: { spec: { restartPolicy: 'Never', containers } } });
const values = (...list: number[]) => policy(exit({ values: list }));
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Rules about what a policy may hold, on a server whose feature gate is open. */
const gated = (id: string, accepted: object, refused: object) => ({
  ...validityRule({ id: `job.pod-failure-policy.${id}`, kind, accepted: { ...accepted }, refused: { ...refused } }),
  flags,
});

/** Of the first condition of a policy, or of another. */
const statusOf = (at: number): Rule =>
  // Each pattern has a status, True unless given.
  defaultRule({
    id: 'job.pod-failure-policy.on-pod-conditions.status',
    kind,
    over: policy({ action: 'Ignore', onPodConditions: conditions(2).map(({ type }) => ({ type })) }),
    path: `spec.podFailurePolicy.rules.0.onPodConditions.${at}.status`,
    value: 'True',
  });

export default [
  // `podFailurePolicy` is behind the feature gate JobPodFailurePolicy, which is closed.
  droppedRule({
    id: 'job.pod-failure-policy.gate',
    kind,
    over: policy(exit({})),
    path: 'spec.podFailurePolicy',
  }),

  gated(
    'rules.max',
    { '20 rules': policy(...Array(20).fill(exit({}))) },
    { '21 rules': policy(...Array(21).fill(exit({}))) },
  ),
  gated(
    'action.required',
    { 'with an action': policy(exit({})) },
    { 'without an action': policy({ onExitCodes: { operator: 'In', values: [1] } }) },
  ),
  gated(
    'rule.exactly-one',
    { 'exit codes': policy(exit({})), 'pod conditions': policy(condition({})) },
    { both: policy({ ...exit({}), ...condition({}) }), neither: policy({ action: 'FailJob' }) },
  ),
  gated(
    'on-pod-conditions.max',
    { '20 patterns': policy({ action: 'Ignore', onPodConditions: conditions(20) }) },
    { '21 patterns': policy({ action: 'Ignore', onPodConditions: conditions(21) }) },
  ),
  gated(
    'on-pod-conditions.type',
    { 'with a type': policy(condition({})) },
    {
      'without a type': policy(condition({ type: undefined })),
      'a type that is no name': policy(condition({ type: 'not a name!' })),
      'a type of no status that there is': policy(condition({ status: 'Maybe' })),
    },
  ),
  gated(
    'on-exit-codes.operator.values',
    { In: policy(exit({})), NotIn: policy(exit({ operator: 'NotIn' })) },
    { 'left out': policy(exit({ operator: undefined })), 'another word': policy(exit({ operator: 'Is' })) },
  ),
  gated('on-exit-codes.values.required', { 'one value': values(1) }, { 'no value': values() }),
  gated('on-exit-codes.values.max', { '255 values': values(...range(255)) }, { '256 values': values(...range(256)) }),
  gated('on-exit-codes.values.ordered', { ascending: values(1, 2, 9) }, { descending: values(9, 2, 1) }),
  gated('on-exit-codes.values.unique', { 'all different': values(1, 2) }, { 'one twice': values(1, 1) }),
  gated(
    'on-exit-codes.values.no-zero',
    { '0 with NotIn': policy(exit({ operator: 'NotIn', values: [0] })) },
    { '0 with In': values(0, 1) },
  ),

  gated(
    'restart-policy',
    { Never: policy(exit({})) },
    { OnFailure: spec({ rules: [exit({})] }, { template: { spec: { restartPolicy: 'OnFailure' } } }) },
  ),

  // Its rules are merged as a whole.
  defineRule('job.pod-failure-policy.rules.atomic', {
    flags,
    sabotage: [
      answerStatus(200, { method: 'PATCH', path: /\/jobs\/[^/]+$/, instead: 409 }),
      forceQuery('force', 'true', { method: 'PATCH', path: /\/jobs\/[^/]+$/ }),
    ],
    async check({ jobs, unique, expect }) {
      const name = unique();
      await jobs.apply(name, whole(exit({ values: [1] }), exit({ values: [2] })), 'first');
      // That the policy cannot change is seen only after that.
      const second = await jobs.tryApply(name, whole(exit({ values: [3] })), 'second');
      expect(second.status, 'other rules by another manager').toBe(409);
      const fields = second.body.details?.causes?.map((cause: Json) => cause.field);
      expect(fields, 'what is in conflict').toContain('.spec.podFailurePolicy.rules');
    },
  }),

  // The shape marks `onPodConditions` as required.
  publishedRule({
    id: 'job.pod-failure-policy.on-pod-conditions.required',
    groupVersion: 'batch/v1',
    shape: 'io.k8s.api.batch.v1.PodFailurePolicyRule',
    path: 'required',
    value: 'onPodConditions',
    unmarkedToo: true,
  }),

  // A failure policy must have rules.
  defineRule('job.pod-failure-policy.rules.required', {
    flags,
    sabotage: [
      answerStatus(422, { method: 'POST', path: /\/jobs$/, instead: 201 }),
      removeIn('spec.podFailurePolicy.rules', { method: 'GET', path: /\/jobs\/[^/]+$/ }),
    ],
    async check({ jobs, looser, expect }) {
      const made = await jobs.post(jobs.sample(policy(exit({}))));
      expect(made.status, 'with rules').toBe(201);
      const { rules } = (await jobs.read(made.body.metadata.name)).spec.podFailurePolicy;
      // What is not set may stand there as null.
      expect(rules, 'the rules, as stored').toHaveLength(1);
      expect(rules[0].onExitCodes, 'the rules, as stored').toMatchObject(exit({}).onExitCodes);
      const { status } = await jobs.post(jobs.sample(spec({})));
      await looser(() => expect([400, 422], 'without rules').toContain(status));
    },
  }),

  {
    ...statusOf(1),
    flags,
    check: async (context: RuleContext) => {
      for (const at of [0, 1]) await statusOf(at).check(context);
    },
  },
];
