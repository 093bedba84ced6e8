import { matching } from './verdicts.ts';

const [one, other] = ['example.com/Evicted', 'example.com/Drained'];
const onPodConditions = [one, other].map((type) => ({ type, status: 'True' }));
const rules = [{ action: 'FailJob', onPodConditions }];
const condition = (type: string, status: string) => ({ type, status, lastTransitionTime: '2024-05-06T07:08:09Z' });

export default [
  matching(
    'on-pod-conditions.match',
    [{ rules, conditions: [condition(other as string, 'True')] }],
    [{ rules, conditions: [condition(one as string, 'False')] }],
  ),
];
