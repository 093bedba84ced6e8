import { lazily } from '../../base/caches/memo.ts';
import { isJsonObject, type JsonObject, putMember } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import { checkStructure } from '../../schema/check.ts';
import { structureOf } from '../../schema/load.ts';
import type { Scalar, StructType, Structure } from '../../schema/structure.ts';
import type { AutoscalerCondition, Behavior } from './autoscaler-shape.ts';
import type { OldMetric } from './old-metric.ts';

const scalar = (of: Scalar): Structure => ({ type: 'scalar', scalar: of });
const listOf = (items: Structure): Structure => ({ type: 'list', items, listType: 'atomic', keys: [] });

const struct = (members: Readonly<Record<string, Structure>>): StructType => ({
  type: 'struct',
  name: '',
  fields: new Map(Object.entries(members).map(([name, type]) => [name, { type }])),
  required: [],
  atomic: false,
  preserveUnknown: false,
  embedded: false,
});

function known(definition: string): Structure {
  const found = structureOf(definition);
  if (!found) throw new Error(`no structure of ${definition}`);
  return found;
}

const each = (names: readonly string[], type: Structure) => Object.fromEntries(names.map((name) => [name, type]));

const texts = ['name', 'container', 'metricName'];
const selectors = ['selector', 'metricSelector'];
const shares = ['targetAverageUtilization', 'currentAverageUtilization'];
const amounts = ['averageValue', 'targetAverageValue', 'targetValue', 'currentAverageValue', 'currentValue'];

/** What a source of a metric can say in the older version, of whichever type it is. */
const sourceType = (): StructType =>
  struct({
    ...each(texts, scalar('string')),
    ...each(selectors, known('io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector')),
    ...each(shares, scalar('int32')),
    ...each(amounts, scalar('quantity')),
    target: known('io.k8s.api.autoscaling.v1.CrossVersionObjectReference'),
  });

const sources = ['resource', 'containerResource', 'pods', 'object', 'external'];
const metricType = (): StructType => struct({ type: scalar('string'), ...each(sources, sourceType()) });

const types = {
  metrics: lazily(() => struct({ value: listOf(metricType()) })),
  conditions: lazily(() =>
    struct({ value: listOf(known('io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerCondition')) }),
  ),
  behavior: lazily(() => struct({ value: known('io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior') })),
};

/** Members by the names of a type: those of an annotation count in any case. */
function inCaseOf(value: Json, type: Structure): Json {
  if (type.type === 'list' && Array.isArray(value)) return value.map((item) => inCaseOf(item, type.items));
  if (type.type !== 'struct' || !isJsonObject(value)) return value;
  const names = new Map([...type.fields.keys()].map((name) => [name.toLowerCase(), name]));
  const named: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const name = names.get(key.toLowerCase());
    const field = name === undefined ? undefined : type.fields.get(name);
    if (name !== undefined && field) putMember(named, name, inCaseOf(member, field.type));
  }
  return named;
}

/** What an annotation holds; undefined: it does not parse, or a single value in it is of another type. */
function carried(text: string | undefined, type: StructType): Json | undefined {
  if (!text) return undefined;
  try {
    const { value } = checkStructure(inCaseOf({ value: JSON.parse(text) as Json }, type), type);
    return (value as JsonObject)['value'];
  } catch {
    return undefined;
  }
}

export const carriedMetrics = (text: string | undefined): OldMetric[] =>
  (carried(text, types.metrics()) ?? []) as unknown as OldMetric[];

export const carriedConditions = (text: string | undefined): AutoscalerCondition[] =>
  (carried(text, types.conditions()) ?? []) as unknown as AutoscalerCondition[];

/** One that says nothing is none. */
export function carriedBehavior(text: string | undefined): Behavior | undefined {
  const behavior = carried(text, types.behavior()) as Behavior | undefined;
  return behavior?.scaleUp || behavior?.scaleDown ? behavior : undefined;
}
