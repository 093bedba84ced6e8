import type { Json } from '../../../verbs/client.ts';
import { apiVersionOf, type OracleKind } from '../../oracle-kind.ts';
import { merged } from '../../play/request.ts';
import type { Scenario, Step } from '../../play/scenario.ts';
import { objectOf } from '../../samples/objects.ts';
import { inForm } from '../forms.ts';
import { dry, dryBeside, KindStory, type StepParts, Story } from '../story.ts';
import { answers, configuration, mutating, probes, validating } from './hook-configuration.ts';
import { definition, definitions, group, terms, version, words } from './type-story.ts';

const patchOf = (operations: Json): Json => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

const set = (path: string, value: Json): Json => ({ op: 'add', path, value });

/** Of a kind that webhooks hear of by another version than they are asked about. */
interface Equivalent {
  /** The version that is written. */
  readonly kind: OracleKind;
  /** The version of the webhooks' rules. */
  readonly version: string;
  /** What an object of the written version asks for. */
  readonly spec?: Json;
  /** What webhooks change, in their version. */
  readonly patches: readonly Json[];
}

const things: OracleKind = {
  ...{ group, version: 'v2', resource: 'things', kind: 'Thing', namespaced: true, subresources: [] },
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
};

/** What a webhook may make of any object, and what of that makes it none. */
const ofAny = ({ kind, version: heard }: Equivalent): readonly Json[] => [
  [set('/metadata/labels/by', 'webhook')],
  [set('/metadata/labels/by', 'not good!')],
  [set('/apiVersion', apiVersionOf(kind))],
  [set('/apiVersion', apiVersionOf({ ...kind, version: 'v99' }))],
  [set('/kind', 'Other')],
  [{ op: 'remove', path: '/apiVersion' }],
  [
    { op: 'test', path: '/apiVersion', value: apiVersionOf({ ...kind, version: heard }) },
    set('/metadata/labels/by', 'it'),
  ],
  [set('/touchedUnknown', 1)],
  [set('/spec/touchedUnknown', 1)],
  [set('/spec', 'none')],
  [{ op: 'remove', path: '/spec' }],
];

const ofThings: readonly Json[] = [
  [set('/spec/word', 'patched')],
  [set('/spec/term', 'patched')],
  [set('/spec/count', 0)],
  [set('/spec/count', 7)],
  [set('/spec/count', 'many')],
  [set('/spec/word', 5)],
  [set('/spec/term', 5)],
  [{ op: 'remove', path: '/spec/word' }],
];

const ofScalers: readonly Json[] = [
  [set('/spec/targetCPUUtilizationPercentage', 33)],
  [set('/spec/targetCPUUtilizationPercentage', 0)],
  [set('/spec/metrics', [])],
  [set('/spec/maxReplicas', 0)],
  [set('/spec/minReplicas', 99)],
  [set('/spec/maxReplicas', 'many')],
  [set('/metadata/annotations/autoscaling.alpha.kubernetes.io~1metrics', 'none')],
];

/** Of the other version, heard of as an equivalent; one that is exact hears nothing. */
const configurations = ({ kind, version: heard }: Equivalent): readonly Step[] => [
  configuration(kind, 'Mutating', {
    first: { versions: [heard], more: { reinvocationPolicy: 'IfNeeded' } },
    exact: { versions: [heard], more: { matchPolicy: 'Exact' } },
    own: {},
    last: { versions: [heard], more: { matchPolicy: 'Equivalent', failurePolicy: 'Fail' } },
    'probe-one': mutating(kind)['probe-one'] ?? {},
  }),
  configuration(kind, 'Validating', {
    seen: { versions: [heard] },
    asked: {},
    'probe-two': validating(kind)['probe-two'] ?? {},
  }),
];

const hooks = ['first', 'exact', 'own', 'last', 'probe-one', 'seen', 'asked', 'probe-two'];

function told(of: Equivalent): Story {
  const story = new Story();
  const [at, by] = [new KindStory(story, of.kind), new KindStory(story, { ...of.kind, version: of.version })];
  const object = (word: string, said: Readonly<Record<string, Json>>): Json => {
    const { spec, ...rest } = objectOf(of.kind, word);
    return merged({ ...rest, spec: { ...spec, ...of.spec } }, answers(said));
  };
  const heard = (): string => story.add(`what webhooks hear of ${at.label}`, 'GET', '/heard', { heard: true });
  const patches = [...ofAny(of), ...of.patches];
  const parts: StepParts = dryBeside;
  for (const [number, operations] of patches.entries())
    for (const word of ['first', 'own', 'last'])
      at.create(object(`x${number}-${word}`, { [word]: patchOf(operations) }), parts);
  heard();
  at.create(object('z', { last: { allowed: false, status: { code: 409 } } }), dry);
  at.create(object('z', { seen: { allowed: false } }), { ...dry, ...inForm('table') });
  at.create(object('a', { first: patchOf(patches[0]), last: patchOf(of.patches[0]) }));
  heard();
  written(at, by, patches, heard);
  return story;
}

/** Changes of what is there already, by both versions. */
function written(at: KindStory, by: KindStory, patches: readonly Json[], heard: () => string): void {
  const now = at.get('a');
  by.get('a');
  for (const operations of patches)
    at.put('a', { answerOf: now, merge: answers({ first: patchOf(operations), last: { allowed: true } }) }, dry);
  heard();
  const change = { metadata: { labels: { touched: 'yes' } } };
  for (const one of [at, by]) {
    one.patch('a', 'merge', change, dry);
    one.apply('a', { ...change, apiVersion: apiVersionOf(one.kind), kind: one.kind.kind }, 'alice', dry);
    one.patch(
      'a',
      'merge',
      { metadata: { labels: { touched: one.kind.version } } },
      { query: { fieldManager: 'bob' } },
    );
    one.get('a');
    heard();
  }
  at.delete('a');
  heard();
}

function scenarioOf(of: Equivalent, prepare: readonly Step[]): Scenario {
  const at = told(of);
  const name = `webhooks of another version of ${of.kind.resource}`;
  return { ...at.scenario(name, 'sequences', 2, [...prepare, ...configurations(of), ...probes]), hooks };
}

const define: readonly Step[] = [
  {
    ...{ id: 'define', what: 'define a type', method: 'POST', path: definitions },
    body: {
      json: definition([
        version('v1', { storage: true }),
        version('v2', { properties: { ...words, ...terms, count: { type: 'integer', minimum: 1, maximum: 5 } } }),
      ]),
    },
  },
  ...['v1', 'v2'].map((one) => ({
    ...{ id: `await-${one}`, what: 'await a type 200', method: 'GET', awaits: 200 },
    path: `/apis/${group}/${one}/namespaces/<own>-1/things`,
  })),
];

/** What webhooks change that know a kind by another version than the one that is written. */
export function equivalentScenarios(kinds: readonly OracleKind[]): readonly Scenario[] {
  const scaler = kinds.find(({ resource, version: one }) => resource === 'horizontalpodautoscalers' && one === 'v2');
  return [
    scenarioOf({ kind: things, version: 'v1', spec: { count: 2 }, patches: ofThings }, define),
    ...(scaler ? [scenarioOf({ kind: scaler, version: 'v1', patches: ofScalers }, [])] : []),
  ];
}
