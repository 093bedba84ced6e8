import { type ConditionTarget, looseConditionRule, texts, times, typedConditionRule } from '../condition-rules.ts';

const target: ConditionTarget = { kind: 'namespaces', make: ({ namespace }) => namespace() };

const condition = (parts: object) => ({ type: 'Judged', status: 'True', ...parts });

export default [
  // A condition has a type.
  looseConditionRule(
    'namespace.condition.type',
    target,
    [condition({})],
    [{ status: 'True' }, condition({ type: '' })],
  ),
  // A condition has a status: True, False or Unknown.
  looseConditionRule(
    'namespace.condition.status',
    target,
    [condition({}), condition({ status: 'False' }), condition({ status: 'Unknown' })],
    [{ type: 'Judged' }, condition({ status: 'Maybe' })],
  ),
  // `lastTransitionTime` of a condition is a Time.
  typedConditionRule('namespace.condition.last-transition-time', target, times('lastTransitionTime')),
  // `message` and `reason` of a condition are texts.
  typedConditionRule('namespace.condition.message-reason', target, texts('message', 'reason')),
];
