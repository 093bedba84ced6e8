import { type ConditionTarget, looseConditionRule, texts, times, typedConditionRule } from '../condition-rules.ts';

const target: ConditionTarget = {
  kind: 'jobs',
  make: async ({ jobs }) => (await jobs.create({ spec: { suspend: true } })).metadata.name,
};

const condition = (parts: object) => ({ type: 'Failed', status: 'True', ...parts });

export default [
  looseConditionRule(
    'job.condition.type',
    target,
    [condition({ type: 'Complete' }), condition({}), condition({ type: 'Suspended' })],
    [{ status: 'True' }, condition({ type: '' })],
  ),
  looseConditionRule(
    'job.condition.status',
    target,
    [condition({}), condition({ status: 'False' }), condition({ status: 'Unknown' })],
    [{ type: 'Failed' }, condition({ status: 'Maybe' })],
  ),
  typedConditionRule('job.condition.times', target, times('lastProbeTime', 'lastTransitionTime')),
  typedConditionRule('job.condition.message-reason', target, texts('message', 'reason')),
];
