import { describe, expect, test } from 'vitest';
import { sample, tryCreate } from '../kind-write.fixture.ts';
import { creations, updates } from '../write-tables.fixture.ts';
import type { HorizontalPodAutoscaler, Metric } from './autoscaler-shape.ts';
import { cpu, memory, scaleTargetRef, stored } from './autoscalers.fixture.ts';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler.ts';
import { scaleTable } from './scale-table.ts';

const spec = (fields: object = {}) => ({ spec: { scaleTargetRef, maxReplicas: 3, ...fields } });
const metric = (fields: object) => spec({ metrics: [fields] });
const at = 'spec.metrics[0]';

describe('HorizontalPodAutoscaler', () => {
  creations(horizontalPodAutoscaler, [
    ['what it needs', spec(), []],
    [
      'nothing',
      {},
      [
        'spec.maxReplicas Invalid',
        'spec.maxReplicas Invalid',
        'spec.scaleTargetRef.kind Required',
        'spec.scaleTargetRef.name Required',
      ],
    ],
    ['fewer than one', spec({ minReplicas: 0 }), ['spec.minReplicas Invalid', 'spec.metrics Forbidden']],
    ['a least above the most', spec({ minReplicas: 4 }), ['spec.maxReplicas Invalid']],
    ['a metric of no type', metric({}), [`${at}.type Required`, `${at}.type NotSupported`]],
    ['a metric of an unknown type', metric({ type: 'Guess' }), [`${at}.type NotSupported`]],
    ['a metric without its source', metric({ type: 'Resource' }), [`${at}.resource Required`]],
    [
      'a metric with another source',
      metric({
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 1 } },
        pods: {},
      }),
      [
        `${at}.pods.metric.name Required`,
        `${at}.pods.target.type Required`,
        `${at}.pods.target.type Invalid`,
        `${at}.pods.target.averageValue Required`,
        `${at}.pods Forbidden`,
      ],
    ],
    [
      'no target',
      metric({ type: 'Resource', resource: { name: 'cpu' } }),
      [
        `${at}.resource.target.type Required`,
        `${at}.resource.target.type Invalid`,
        `${at}.resource.target.averageUtilization Required`,
      ],
    ],
    [
      'two targets',
      metric({
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 1, averageValue: '1' } },
      }),
      [`${at}.resource.target.averageValue Forbidden`],
    ],
    [
      'no share',
      metric({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0 } } }),
      [`${at}.resource.target.averageUtilization Invalid`],
    ],
    [
      'pods without value',
      metric({ type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue' } } }),
      [`${at}.pods.target.averageValue Required`],
    ],
    [
      'a behavior that waits too long',
      spec({
        behavior: {
          scaleDown: { stabilizationWindowSeconds: 3601, policies: [{ type: 'Pods', value: 0, periodSeconds: 1801 }] },
        },
      }),
      ['stabilizationWindowSeconds', 'policies[0].value', 'policies[0].periodSeconds'].map(
        (field) => `spec.behavior.scaleDown.${field} Invalid`,
      ),
    ],
  ]);
  updates(horizontalPodAutoscaler, [
    [
      'less than nothing',
      spec(),
      (next) => Object.assign(next, { status: { desiredReplicas: -1 } }),
      ['status.desiredReplicas Invalid'],
      'status',
    ],
  ]);

  test('watches the cpu if nothing is said', async () => {
    const { object } = await tryCreate(horizontalPodAutoscaler, sample(horizontalPodAutoscaler, spec()));
    expect(object.spec).toMatchObject({
      minReplicas: 1,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
      ],
    });
  });

  test('a behavior without any policy is not completed', async () => {
    const { causes } = await tryCreate(
      horizontalPodAutoscaler,
      sample(horizontalPodAutoscaler, spec({ behavior: { scaleUp: { policies: [] } } })),
    );
    expect(causes).toEqual(['spec.behavior.scaleUp.policies Required']);
  });

  test('a behavior is completed, and there is none if nothing is said', async () => {
    const { object } = await tryCreate(
      horizontalPodAutoscaler,
      sample(horizontalPodAutoscaler, spec({ behavior: {} })),
    );
    expect((object as HorizontalPodAutoscaler).spec?.behavior).toEqual({
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [
          { type: 'Pods', value: 4, periodSeconds: 15 },
          { type: 'Percent', value: 100, periodSeconds: 15 },
        ],
      },
      scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
    });
  });
});

test.each<[string, Metric[], object, string]>([
  ['none', [], {}, '<none>'],
  ['what is not known yet', [cpu], {}, '<unknown>/70%'],
  [
    'what is seen',
    [cpu],
    { currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 12 } } }] },
    '12%/70%',
  ],
  [
    'no other amount that is seen',
    [cpu],
    { currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageValue: '0' } } }] },
    '<unknown>/70%',
  ],
  [
    'nothing that is seen of another source',
    [memory, cpu],
    { currentMetrics: [{ type: 'Pods', pods: { metric: { name: 'm' }, current: { averageValue: '3' } } }] },
    '<unknown>/1Gi, <unknown>/70%',
  ],
  ['the first two', [cpu, memory, cpu], {}, '<unknown>/70%, <unknown>/1Gi + 1 more...'],
])('the table shows %s', (_title, list, status, text) => {
  expect(horizontalPodAutoscaler.table?.cells(stored({ metrics: list }, status), 0)[2]).toBe(text);
});

test('the table of a scale', () => {
  const scale = {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'x' },
    spec: { replicas: 2 },
    status: {},
  };
  expect(scaleTable.cells(scale, 0)).toEqual(['x', 2, 0, '<unknown>']);
});
