import { matching } from './verdicts.ts';

const [one, other] = ['example.com/Evicted', 'example.com/Drained'];
const onPodConditions = [one, other].map((type) => ({ type, status: 'True' }));
const rules = [{ action: 'FailJob', onPodConditions }];
const ofFalse = [{ action: 'FailJob', onPodConditions: [{ type: one, status: 'False' }] }];
const condition = (type: string, status: string) => ({ type, status, lastTransitionTime: '2024-05-06T07:08:09Z' });

export default [
  matching(
    'on-pod-conditions.match',
    [
      { rules, conditions: [condition(other as string, 'True')] },
      { rules: ofFalse, conditions: [condition(one as string, 'False')] },
    ],
    [
      { rules, conditions: [condition(one as string, 'False')] },
      { rules: ofFalse, conditions: [condition(one as string, 'True')] },
    ],
  ),
];
