import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worked } from '../../fixtures/worked.fixture.ts';
import { cloneJson } from '../base/clone.ts';
import type { Json, KubeObject } from '../base/kube-object.ts';
import { StatusError } from '../base/status-error.ts';
import { allOf } from '../kinds/faults.fixture.ts';
import type { WriteContext } from '../kinds/strategy.ts';
import { checkStructure } from '../schema/check.ts';
import { structureOfKind } from '../schema/load.ts';
import type { StructType } from '../schema/structure.ts';
import { relabel } from './conversion.ts';
import { customResources } from './custom-resource.ts';
import { customResourceDefinition as kind } from './definition/definition.ts';
import { nextStatus } from './definition/establish.ts';
import type { Definition } from './definition-shape.ts';

const structure = structureOfKind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition') as StructType;
const context = { clock: { now: () => 0 } } as unknown as WriteContext;

const good: { [key: string]: Json; spec: { [key: string]: Json } } = {
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: 'ducks.shop.example.com' },
  spec: {
    group: 'shop.example.com',
    scope: 'Namespaced',
    names: { plural: 'ducks', kind: 'Duck', shortNames: ['d'], categories: ['all'] },
    conversion: { strategy: 'None' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }],
        subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['a'],
                properties: {
                  a: { type: 'string', pattern: '^a', maxLength: 9, enum: ['a'], default: 'a' },
                  n: { type: 'integer', minimum: 0, multipleOf: 2 },
                  list: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['k'],
                    items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
                  },
                  map: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
                },
                oneOf: [{ required: ['a'] }, { not: { required: ['n'] } }],
                'x-kubernetes-validations': [{ rule: 'self.a != "b"', message: 'no b' }],
              },
            },
          },
        },
      },
    ],
  },
};

/** A part of the definition, somewhere, is exchanged for anything. */
function exchange(value: Json, way: readonly number[], by: Json): Json {
  const [step, ...rest] = way;
  if (step === undefined || typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  if (keys.length === 0) return by;
  const key = keys[step % keys.length] as string;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, Json>;
  copy[key] = exchange(copy[key] as Json, rest, by);
  return copy as Json;
}

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.constantFrom<Json>('object', 'array', 'string', 'set', 'map', '(', 'v1', 2n ** 80n, -1, 1e308, '__proto__', [[]], {
    type: 'object',
  }),
);

/** The checks of a server; undefined: it was refused. */
function accepted(sent: Json): Definition | undefined {
  try {
    const definition = { metadata: {}, ...checkStructure(cloneJson(sent), structure).value } as unknown as Definition;
    kind.default?.(definition);
    kind.prepareCreate?.(definition, context);
    kind.default?.(definition);
    const errors = [
      ...allOf(kind.validate?.(definition, context)),
      ...allOf(kind.validateCreate?.(definition, context)),
    ];
    for (const { field, text } of errors) expect(typeof field + typeof text).toBe('stringstring');
    return errors.length > 0 ? undefined : definition;
  } catch (error) {
    if (error instanceof StatusError && error.status.code < 500) return undefined;
    throw error;
  }
}

/** What a server does with objects of a definition. */
function serve(definition: Definition, body: Json): void {
  const status = nextStatus(definition, [], 0);
  for (const { served, rules } of customResources({ ...definition, status }, relabel, new AbortController().signal)) {
    const sent = {
      ...(Object(body) as object),
      kind: 'Duck',
      apiVersion: served.apiVersion,
      metadata: { name: 'x' },
    } as KubeObject;
    const pruned = checkStructure(cloneJson(sent) as unknown as Json, served.structure, { mode: 'prune' })
      .value as unknown as KubeObject;
    const stored = served.conversion?.toStorage(pruned) as KubeObject;
    rules.default?.(stored);
    allOf(rules.validateCreate?.(stored, context));
    allOf(rules.validateUpdate?.(stored, cloneJson(stored), context));
    rules.table?.cells(served.conversion?.fromStorage(stored) as KubeObject, 0);
  }
}

describe('anything sent as a definition', () => {
  it('is refused or served, and nothing else', () => {
    let served = 0;
    fc.assert(
      fc.property(
        fc.array(fc.nat(12), { maxLength: 12 }),
        anything,
        fc.jsonValue() as fc.Arbitrary<Json>,
        (way, by, body) => {
          const definition = accepted(exchange(good, way, by));
          if (!definition) return;
          served++;
          serve(definition, body);
          serve(definition, { spec: body });
          serve(definition, { spec: { a: 'a', n: body, list: [body], map: { x: body } } });
        },
      ),
      { numRuns: 2000 },
    );
    expect(served).toBeGreaterThan(50);
  });

  it.each<[string, Json]>([
    [
      'a schema of 1000 levels',
      Array.from({ length: 1000 }).reduce<Json>((items) => ({ type: 'array', items }), { type: 'string' }),
    ],
    ['1000 levels of junctors', Array.from({ length: 1000 }).reduce<Json>((not) => ({ not }), {})],
    [
      'patterns that explode',
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 50 }, (_, i) => [`p${i}`, { type: 'string', pattern: `(x{1,${i + 1}}){1,500}` }]),
        ),
      },
    ],
    [
      '5000 properties',
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 5000 }, (_, i) => [`p${i}`, { type: 'string', default: 'x' }]),
        ),
      },
    ],
    [
      '200 nested defaults',
      Array.from({ length: 190 }).reduce<Json>((inner) => ({ type: 'object', default: {}, properties: { a: inner } }), {
        type: 'string',
        default: 'x',
      }),
    ],
  ])('is dealt with in time: %s', (_, schema) => {
    const started = worked();
    const definition = accepted(
      exchange(good, [], {
        ...good,
        spec: {
          ...good.spec,
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
        },
      }),
    );
    if (definition) serve(definition, { p1: 'x'.repeat(10_000), a: {} });
    expect(worked() - started).toBeLessThan(5000);
  });
});
