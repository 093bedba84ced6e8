import { describe } from 'vitest';
import { creations, updates } from '../write-tables.fixture.ts';
import { podDisruptionBudget } from './pod-disruption-budget.ts';

const spec = (fields: object) => ({ spec: { selector: { matchLabels: { a: 'b' } }, ...fields } });

describe('PodDisruptionBudget', () => {
  creations(podDisruptionBudget, [
    ['a number', spec({ minAvailable: 1 }), []],
    ['a share', spec({ maxUnavailable: '50%' }), []],
    ['both', spec({ minAvailable: 1, maxUnavailable: 1 }), ['spec Invalid']],
    ['less than nothing', spec({ minAvailable: -1 }), ['spec.minAvailable Invalid']],
    ['more than all', spec({ maxUnavailable: '101%' }), ['spec.maxUnavailable Invalid']],
    ['no number', spec({ maxUnavailable: 'half' }), ['spec.maxUnavailable Invalid']],
    [
      'a selector that is none',
      { spec: { selector: { matchLabels: { 'a b': 'c' } } } },
      ['spec.selector.matchLabels Invalid'],
    ],
  ]);
  updates(podDisruptionBudget, [
    ['its spec', spec({ minAvailable: 1 }), (next) => Object.assign(next.spec, { minAvailable: 2 }), []],
    [
      'a condition that says too little',
      spec({}),
      (next) => Object.assign(next.status, { conditions: [{ type: 'A', status: 'Maybe' }], currentHealthy: -1 }),
      [
        'status.conditions[0].status NotSupported',
        'status.conditions[0].lastTransitionTime Required',
        'status.conditions[0].reason Required',
        'status.currentHealthy Invalid',
      ],
      'status',
    ],
    [
      'conditions of one type, and reasons that are none',
      spec({}),
      (next) => {
        const whole = { status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' };
        const conditions = [
          { ...whole, type: 'A', reason: 'Good' },
          { ...whole, type: 'A', reason: '9', observedGeneration: -1 },
          { ...whole, type: 'B', reason: 'a'.repeat(1025), message: 'a'.repeat(32_769) },
          { ...whole, type: 'C', reason: 'Good', message: 'ä'.repeat(16_384) },
          { ...whole, type: 'D', reason: 'Good', message: 'ä'.repeat(16_385) },
        ];
        Object.assign(next.status, { conditions });
      },
      [
        'status.conditions[1].type Duplicate',
        'status.conditions[1].observedGeneration Invalid',
        'status.conditions[1].reason Invalid',
        'status.conditions[2].reason TooLong',
        'status.conditions[2].message TooLong',
        'status.conditions[4].message TooLong',
      ],
      'status',
    ],
  ]);
});
