import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';

const value = { type: 'Value', value: '1' };
const average = { type: 'AverageValue', averageValue: '1' };
const metric = { name: 'a' };
const describedObject = { kind: 'Pod', name: 'a' };

/** Of an autoscaler: a measure behind one that is sound. */
const measured = (measure: Json): Json =>
  spec({ metrics: [{ type: 'Pods', pods: { metric, target: average } }, measure] });
const resource = (parts: Json): Json =>
  measured({ type: 'Resource', resource: { name: 'cpu', target: average, ...parts } });
const pods = (parts: Json): Json => measured({ type: 'Pods', pods: { metric, target: average, ...parts } });
const object = (parts: Json): Json =>
  measured({ type: 'Object', object: { describedObject, metric, target: value, ...parts } });
const external = (parts: Json): Json => measured({ type: 'External', external: { metric, target: value, ...parts } });

const sources = { resource, pods, object, external };

/** Of each source: what its target may be by no means. */
const targets = Object.entries(sources).flatMap(([source, of]): (readonly [string, Json])[] => [
  [`a ${source} of no target`, of({ target: {} })],
  [`a ${source} of an unknown target`, of({ target: { ...average, type: 'Other' } })],
  [`a ${source} of no amount`, of({ target: { ...average, averageValue: '0' } })],
  [`a ${source} of less than nothing`, of({ target: { ...average, averageValue: '-1' } })],
]);

const both = { type: 'AverageValue', averageValue: '1' };

const policy = { type: 'Pods', value: 1, periodSeconds: 1800 };
const scaling = (parts: Json): Json =>
  spec({ behavior: { scaleUp: { stabilizationWindowSeconds: 3600, policies: [policy] }, scaleDown: parts } });
const policies = (parts: Json): Json => scaling({ policies: [policy, { ...policy, ...parts }] });

const refused: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(targets),
  'a resource without a name': resource({ name: '' }),
  'a share of nothing': resource({ target: { type: 'Utilization', averageUtilization: 0 } }),
  'a share and an average': resource({ target: { ...both, averageUtilization: 50 } }),
  'neither a share nor an average': resource({ target: value }),
  'pods by no average': pods({ target: value }),
  'pods by no measure': pods({ metric: { name: '' } }),
  'an object by no measure': object({ metric: { name: '' } }),
  'no object': object({ describedObject: { kind: 'Pod', name: '' } }),
  'an object by a share': object({ target: { type: 'Utilization', averageUtilization: 50 } }),
  'something else by no measure': external({ metric: { name: '' } }),
  'something else by a value and an average': external({ target: { ...both, value: '1' } }),
  'something else by a share': external({ target: { type: 'Utilization', averageUtilization: 50 } }),
  'two sources at once': measured({
    ...{ type: 'Pods', pods: { metric, target: average } },
    external: { metric, target: value },
  }),
  'another source than is said': measured({ type: 'Pods', external: { metric, target: value } }),
  'less than no window': scaling({ stabilizationWindowSeconds: -1, policies: [policy] }),
  'a window of more than an hour': scaling({ stabilizationWindowSeconds: 3601, policies: [policy] }),
  'an unknown choice': scaling({ selectPolicy: 'Other', policies: [policy] }),
  'an unknown policy': policies({ type: 'Other' }),
  'a policy of nothing': policies({ value: 0 }),
  'a policy of no time': policies({ periodSeconds: 0 }),
  'a policy of more than half an hour': policies({ periodSeconds: 1801 }),
};

/** What autoscalers go by, and how fast they may. */
export const unfitMeasures: readonly JudgedKind[] = [
  judged(kindPaths.horizontalPodAutoscalers, {
    name: 'measures of horizontalpodautoscalers',
    base: spec({ maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' } }),
    refused,
    fitting: {
      'every source': spec({
        metrics: Object.values(sources).flatMap((of) => of({}).spec.metrics.slice(1)),
      }),
      'an object by its average': object({ target: average }),
      'something else by its average': external({ target: average }),
      'the least of all': scaling({
        ...{ selectPolicy: 'Min', stabilizationWindowSeconds: 0 },
        policies: [{ type: 'Percent', value: 1, periodSeconds: 1 }],
      }),
      'the most of all': scaling({ selectPolicy: 'Max', policies: [policy] }),
      'no movement at all': scaling({ selectPolicy: 'Disabled', policies: [policy] }),
    },
  }),
];
