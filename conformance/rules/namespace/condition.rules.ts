import { type ConditionTarget, looseConditionRule, texts, times, typedConditionRule } from '../condition-rules.ts';

const target: ConditionTarget = { kind: 'namespaces', make: ({ namespace }) => namespace() };

const condition = (parts: object) => ({ type: 'Judged', status: 'True', ...parts });

export default [
  looseConditionRule(
    'namespace.condition.type',
    target,
    [condition({})],
    [{ status: 'True' }, condition({ type: '' })],
  ),
  looseConditionRule(
    'namespace.condition.status',
    target,
    [condition({}), condition({ status: 'False' }), condition({ status: 'Unknown' })],
    [{ type: 'Judged' }, condition({ status: 'Maybe' })],
  ),
  typedConditionRule('namespace.condition.last-transition-time', target, times('lastTransitionTime')),
  typedConditionRule('namespace.condition.message-reason', target, texts('message', 'reason')),
];
