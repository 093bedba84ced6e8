import { type ConditionTarget, looseConditionRule, texts, times, typedConditionRule } from '../condition-rules.ts';

const target: ConditionTarget = {
  kind: 'jobs',
  make: async ({ jobs }) => (await jobs.create({ spec: { suspend: true } })).metadata.name,
};

const condition = (parts: object) => ({ type: 'Failed', status: 'True', ...parts });

export default [
  // A condition has a type: Complete, Failed or Suspended.
  looseConditionRule(
    'job.condition.type',
    target,
    [condition({ type: 'Complete' }), condition({}), condition({ type: 'Suspended' })],
    [{ status: 'True' }, condition({ type: '' })],
  ),
  // A condition has a status: True, False or Unknown.
  looseConditionRule(
    'job.condition.status',
    target,
    [condition({}), condition({ status: 'False' }), condition({ status: 'Unknown' })],
    [{ type: 'Failed' }, condition({ status: 'Maybe' })],
  ),
  // `lastProbeTime` and `lastTransitionTime` of a condition are Times.
  typedConditionRule('job.condition.times', target, times('lastProbeTime', 'lastTransitionTime')),
  // `message` and `reason` of a condition are texts.
  typedConditionRule('job.condition.message-reason', target, texts('message', 'reason')),
];
