import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownMetadata } from '../carried-annotations.ts';
import type { HorizontalPodAutoscaler, Metric } from './autoscaler-shape.ts';
import { autoscalerV1 } from './autoscaler-v1.ts';
import { cpu, memory, scaleTargetRef, stored } from './autoscalers.fixture.ts';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler.ts';

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
