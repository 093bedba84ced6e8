import type { Json } from '../../verbs/client.ts';
import { runLabel } from '../../verbs/guest/permit.ts';
import type { BurstKind } from '../history/record-bursts.ts';
import type { Sample } from './sample.ts';

export const customGroup = (run: string): string => `${run}.touchstone.example`;

const entry = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, value: { type: 'integer', default: 7 } },
  'x-kubernetes-validations': [{ rule: 'self.value >= oldSelf.value - 5', message: 'shrinks slowly' }],
};

/** A schema with one of each construct. */
const spec: Json = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 100 },
    color: { type: 'string', enum: ['red', 'green'], default: 'red' },
    word: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 10 },
    code: { type: 'string', pattern: '[0-9]' },
    when: { type: 'string', format: 'date-time' },
    share: { 'x-kubernetes-int-or-string': true },
    ratio: { type: 'number', multipleOf: 0.5, exclusiveMinimum: true, minimum: 0 },
    step: { type: 'integer', multipleOf: 5 },
    inner: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object', properties: { deep: { type: 'string' } } } },
    },
    flag: { type: 'boolean', nullable: true },
    replicas: { type: 'integer' },
    entries: {
      type: 'array',
      maxItems: 4,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: entry,
    },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    whole: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
    atom: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    counts: { type: 'object', minProperties: 1, maxProperties: 3, additionalProperties: { type: 'integer' } },
    choice: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    nested: { type: 'object', properties: { deep: { type: 'string', default: 'down' } }, default: {} },
    // What is told of it is not all that there is of it, in one way or another.
    given: {
      type: 'object',
      required: ['null', 'text'],
      properties: { null: { type: 'string', nullable: true }, text: { type: 'string' } },
    },
    half: {
      ...{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      properties: { known: { type: 'object', properties: { deep: { type: 'string' } } } },
    },
    each: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { share: { 'x-kubernetes-int-or-string': true }, deep: { type: 'string', default: 'down' } },
      },
    },
    grid: { type: 'array', items: { type: 'array', items: { type: 'integer', not: { enum: [3] } } } },
    // Null stands for the default, for itself, or for nothing.
    spread: { type: 'array', items: { type: 'integer', default: 3 } },
    holes: { type: 'array', items: { type: 'string', nullable: true } },
    keyed: { type: 'object', additionalProperties: { type: 'integer', default: 4 } },
  },
  'x-kubernetes-validations': [
    { rule: "self.size < 50 || self.color == 'green'", message: 'what is big is green' },
    { rule: 'self.size >= oldSelf.size - 3', message: 'shrinks slowly' },
  ],
};

const status: Json = {
  type: 'object',
  properties: { replicas: { type: 'integer' }, selector: { type: 'string' }, phase: { type: 'string' } },
};

/** Of another version: one field is not there, and one is there beside. */
const earlierSpec: Json = {
  ...spec,
  properties: { ...spec.properties, whole: undefined, early: { type: 'string', default: 'yes' } },
};

/** Values of each type by each way to name them; some are not there, or of another type than is told. */
const columns: Json = [
  { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
  { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 },
  { name: 'Ratio', type: 'number', jsonPath: '.spec.ratio', format: 'double' },
  { name: 'Flag', type: 'boolean', jsonPath: '.spec.flag' },
  { name: 'When', type: 'date', jsonPath: '.spec.when' },
  { name: 'Made', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'when it was made' },
  { name: 'Tags', type: 'string', jsonPath: '.spec.tags' },
  { name: 'Number', type: 'integer', jsonPath: '.spec.word' },
  { name: 'Whole', type: 'integer', jsonPath: '.spec.ratio' },
  { name: 'Text', type: 'string', jsonPath: '.spec.size' },
  { name: 'First', type: 'string', jsonPath: '.spec.entries[0].name' },
  { name: 'Each', type: 'string', jsonPath: '.spec.entries[*].name' },
  { name: 'One', type: 'integer', jsonPath: '.spec.entries[?(@.name=="one")].value' },
  { name: 'Label', type: 'string', jsonPath: ".metadata.labels['app']" },
  { name: 'Note', type: 'string', jsonPath: '.metadata.annotations.example\\.com/note' },
  { name: 'Phase', type: 'string', jsonPath: '..phase' },
  { name: 'None', type: 'integer', jsonPath: '.spec.none.at.all' },
  { name: 'Null', type: 'string', jsonPath: '.spec.given.null' },
  { name: 'Map', type: 'string', jsonPath: '.spec.counts' },
  { name: 'Last', type: 'string', jsonPath: '.spec.entries[-1].name' },
  { name: 'Some', type: 'string', jsonPath: '.spec.entries[0:1].name' },
  { name: 'Step', type: 'string', jsonPath: '.spec.whole[0:2:2]' },
  { name: 'Beyond', type: 'string', jsonPath: '.spec.whole[7]' },
  { name: 'Two', type: 'string', jsonPath: '.spec.whole[1,0]' },
  { name: 'Members', type: 'integer', jsonPath: '.spec.counts.*' },
  { name: 'Quoted', type: 'string', jsonPath: ".spec['word','color']" },
  { name: 'Large', type: 'string', jsonPath: '.spec.entries[?(@.value>1)].name' },
  { name: 'Small', type: 'string', jsonPath: '.spec.entries[?(@.value<=1)].name' },
  { name: 'Other', type: 'string', jsonPath: '.spec.entries[?(@.name!="one")].name' },
  { name: 'Having', type: 'string', jsonPath: '.spec.entries[?(@.name)].name' },
];

const version = (name: string, storage: boolean, shape = spec): Json => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: shape, status } } },
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  additionalPrinterColumns: columns,
});

/** The word of the run in the names of groups, and the value of its label. */
interface Marks {
  readonly run: string;
  readonly label: string;
}

const definition = ({ run, label }: Marks, plural: string, kind: string, scope: string, versions: Json[]): Json => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${customGroup(run)}`, labels: { [runLabel]: label } },
  spec: {
    group: customGroup(run),
    scope,
    names: {
      plural,
      singular: plural.slice(0, -1),
      kind,
      listKind: `${kind}List`,
      shortNames: [`${plural.slice(0, 3)}x`],
    },
    versions,
  },
});

/** Plain ones have no subresources, so that their status is a field like any other, and no columns of their own. */
const plain: Json = { ...version('v1', true), subresources: undefined, additionalPrinterColumns: undefined };

/** The kinds that are defined on both servers before anything is compared. */
export const definitionsOf = (marks: Marks): readonly Json[] => [
  definition(marks, 'gauges', 'Gauge', 'Namespaced', [version('v1', true), version('v1beta1', false, earlierSpec)]),
  definition(marks, 'realms', 'Realm', 'Cluster', [version('v1', true)]),
  definition(marks, 'notes', 'Note', 'Namespaced', [plain]),
];

const custom: Sample = {
  parts: {
    spec: {
      size: 5,
      word: 'some',
      share: '10%',
      ratio: 1.5,
      flag: false,
      replicas: 2,
      entries: [{ name: 'one', value: 1 }, { name: 'two' }],
      tags: ['b', 'a'],
      whole: ['y', 'x'],
      atom: { a: 'a' },
      free: { any: { thing: [1, 'two'] } },
      counts: { one: 1 },
      step: 10,
      given: { null: 'some', text: 'some' },
      spread: [1],
      holes: ['one'],
      keyed: { one: 1 },
      inner: { apiVersion: 'v1', kind: 'Any', metadata: { name: 'inner' }, spec: { deep: 'x' } },
    },
  },
  change: { spec: { size: 6, color: 'green', tags: ['a', 'c'] } },
  status: { status: { replicas: 1, phase: 'Tried', selector: 'app=tried' } },
};

/** As the earlier version has it. */
const earlier: Sample = {
  ...custom,
  parts: { spec: { ...custom.parts.spec, whole: undefined, early: 'no' } },
};

export const customSamples: Readonly<Record<string, Sample>> = {
  Gauge: custom,
  'Gauge.v1beta1': earlier,
  Realm: custom,
  Note: custom,
};

/** Kinds that nobody else writes to, on which several clients ask for something at the same moment. */
export const burstKindsOf = (run: string): readonly BurstKind[] => [
  { apiVersion: 'v1', kind: 'Secret', resource: 'secrets' },
  {
    ...{ apiVersion: `${customGroup(run)}/v1`, kind: 'Gauge', resource: 'gauges' },
    parts: { spec: { size: 1 } },
    status: { replicas: 3, selector: 'app=tried', phase: 'Tried' },
  },
];
