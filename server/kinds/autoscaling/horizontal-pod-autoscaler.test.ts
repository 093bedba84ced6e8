import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownMetadata } from '../carried-annotations.ts';
import { sample, tryCreate } from '../kind-write.fixture.ts';
import { creations, updates } from '../write-tables.fixture.ts';
import type { HorizontalPodAutoscaler, Metric } from './autoscaler-shape.ts';
import { autoscalerV1 } from './autoscaler-v1.ts';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler.ts';
import { scaleTable } from './scale-table.ts';

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
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

const cpu: Metric = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
};
const memory: Metric = {
  type: 'Resource',
  resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
};
const selector = { matchLabels: { a: 'b' } };
const metrics: readonly Metric[] = [
  memory,
  {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 5 } },
  },
  { type: 'Pods', pods: { metric: { name: 'm', selector }, target: { type: 'AverageValue', averageValue: '5' } } },
  {
    type: 'Object',
    object: {
      describedObject: { kind: 'Ingress', name: 'i' },
      metric: { name: 'm' },
      target: { type: 'Value', value: '5' },
    },
  },
  {
    type: 'External',
    external: { metric: { name: 'm', selector }, target: { type: 'AverageValue', averageValue: '5' } },
  },
];

const stored = (fields: object, status: object = {}): HorizontalPodAutoscaler => ({
  kind: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v2',
  metadata: { name: 'x', annotations: { mine: 'stays' } },
  spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, ...fields },
  status: { desiredReplicas: 0, ...status },
});

describe('the older version of an autoscaler', () => {
  test('knows the share of cpu as a field', () => {
    const old = autoscalerV1.fromStorage(stored({ metrics: [cpu] }));
    expect(old).toMatchObject({ apiVersion: 'autoscaling/v1', spec: { targetCPUUtilizationPercentage: 70 } });
    expect(old.metadata.annotations).toEqual({ mine: 'stays' });
  });

  test('carries the rest in annotations, which are gone in the newer one', () => {
    const old = autoscalerV1.fromStorage(
      stored({ metrics: [memory, cpu], behavior: { scaleDown: { selectPolicy: 'Max' } } }),
    );
    expect(old.metadata.annotations).toEqual({
      mine: 'stays',
      'autoscaling.alpha.kubernetes.io/metrics':
        '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]',
      'autoscaling.alpha.kubernetes.io/behavior':
        '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":null}}',
    });
    expect(ownMetadata(old).annotations).toEqual({ mine: 'stays' });
    const back = autoscalerV1.toStorage(old) as HorizontalPodAutoscaler;
    expect(back.metadata.annotations).toEqual({ mine: 'stays' });
    expect(back.spec?.behavior).toEqual({ scaleDown: { selectPolicy: 'Max' } });
  });

  test('leaves a behavior as it is carried', () => {
    const made = stored({ metrics: [cpu], behavior: { scaleUp: { stabilizationWindowSeconds: 3 } } });
    horizontalPodAutoscaler.default?.(made, false, 'autoscaling/v1');
    expect(made.spec?.behavior).toEqual({ scaleUp: { stabilizationWindowSeconds: 3 } });
  });

  test('what the older version carries in annotations is nothing that a newer one says', () => {
    const made = stored({ metrics: [cpu] });
    made.metadata.annotations = { mine: 'stays', 'autoscaling.alpha.kubernetes.io/behavior': '{"ScaleDown":{}}' };
    horizontalPodAutoscaler.default?.(made);
    expect(made.metadata.annotations).toEqual({ mine: 'stays' });
    expect(horizontalPodAutoscaler.kept?.(made)).not.toHaveProperty('spec.behavior');
  });

  test('annotations that are nonsense carry nothing', () => {
    const annotations = {
      'autoscaling.alpha.kubernetes.io/metrics': '{',
      'autoscaling.alpha.kubernetes.io/behavior': '[]',
    };
    const { spec: made } = autoscalerV1.toStorage({
      ...stored({}),
      metadata: { name: 'x', annotations },
    }) as HorizontalPodAutoscaler;
    expect(made).toEqual({ scaleTargetRef, minReplicas: 1, maxReplicas: 3 });
  });

  const carrier = (name: string, text: string): HorizontalPodAutoscaler =>
    autoscalerV1.toStorage({
      ...stored({}),
      metadata: { name: 'x', annotations: { [`autoscaling.alpha.kubernetes.io/${name}`]: text } },
    }) as HorizontalPodAutoscaler;

  test.each([
    ['a type that is none', 'metrics', '[{"type":5}]'],
    ['an amount that is none', 'metrics', '[{"type":"Resource","resource":{"name":"m","targetAverageValue":"abc"}}]'],
    ['no list', 'metrics', '{}'],
    ['a time that is none', 'conditions', '[{"type":"A","status":"True","lastTransitionTime":"now"}]'],
    ['a window that is none', 'behavior', '{"ScaleUp":{"StabilizationWindowSeconds":"x"}}'],
    ['nothing', 'behavior', '{"ScaleUp":null}'],
    ['lists without end', 'metrics', '['.repeat(100_000)],
  ])('an annotation that holds %s carries nothing', (_title, name, text) => {
    const { spec: made, status } = carrier(name, text);
    expect([made, status?.conditions]).toEqual([{ scaleTargetRef, minReplicas: 1, maxReplicas: 3 }, undefined]);
  });

  test('what is carried is read in any case, and amounts become canonical', () => {
    const text = '[{"Type":"Resource","RESOURCE":{"name":"memory","targetaveragevalue":"1000m","other":1}}]';
    expect(carrier('metrics', text).spec?.metrics).toEqual([
      { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1' } } },
    ]);
    expect(carrier('behavior', '{"scaledown":{"SELECTPOLICY":"Min"}}').spec?.behavior).toEqual({
      scaleDown: { selectPolicy: 'Min' },
    });
  });

  test('an annotation reads the same in whichever order the object was written', () => {
    const { annotations = {} } = autoscalerV1.fromStorage(
      stored(
        {
          metrics: [
            {
              type: 'Object',
              object: {
                target: { value: '3', type: 'Value' },
                metric: {
                  selector: {
                    matchExpressions: [{ values: ['v'], operator: 'In', key: 'k' }],
                    matchLabels: { z: '1', a: '2' },
                  },
                  name: 'hits',
                },
                describedObject: { apiVersion: 'v1', name: 'main', kind: 'Service' },
              },
            },
          ],
        },
        { conditions: [{ message: '1 < 2 & 3', reason: 'Why', status: 'True', type: 'AbleToScale' }] },
      ),
    ).metadata;
    expect(annotations['autoscaling.alpha.kubernetes.io/metrics']).toBe(
      '[{"type":"Object","object":{"target":{"kind":"Service","name":"main","apiVersion":"v1"},"metricName":"hits","targetValue":"3","selector":{"matchLabels":{"a":"2","z":"1"},"matchExpressions":[{"key":"k","operator":"In","values":["v"]}]}}}]',
    );
    expect(annotations['autoscaling.alpha.kubernetes.io/conditions']).toBe(
      '[{"type":"AbleToScale","status":"True","lastTransitionTime":null,"reason":"Why","message":"1 \\u003c 2 \\u0026 3"}]',
    );
  });

  test('loses nothing on the way there and back', () => {
    const conditions = fc.constantFrom([], [{ type: 'AbleToScale', status: 'True', lastTransitionTime: null }]);
    const others = fc.uniqueArray(fc.constantFrom(...metrics));
    const behavior = fc.constantFrom(undefined, {
      scaleUp: { selectPolicy: 'Min', policies: [{ type: 'Pods', value: 1, periodSeconds: 2 }] },
    });
    fc.assert(
      fc.property(others, fc.boolean(), behavior, conditions, (list, withCpu, rules, found) => {
        const all = withCpu ? [...list, cpu] : list;
        const object = stored(
          { ...(all.length > 0 && { metrics: all }), ...(rules && { behavior: rules }) },
          found.length > 0 ? { conditions: found } : {},
        );
        expect(autoscalerV1.toStorage(autoscalerV1.fromStorage(object))).toEqual(object);
      }),
    );
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
