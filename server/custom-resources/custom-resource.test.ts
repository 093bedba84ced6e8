import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../base/kube-object.ts';
import { allOf } from '../kinds/faults.fixture.ts';
import type { WriteContext } from '../kinds/strategy.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { relabel } from './conversion.ts';
import { customResources } from './custom-resource.ts';
import type { Definition, DefinitionVersion } from './definition-shape.ts';
import { objectSchema as o } from './object-schema.fixture.ts';
import { openApiV2, openApiV3 } from './openapi.ts';

const group = 'shop.example.com';
const context = {} as WriteContext;

const version = (name: string, schema: JsonSchema, more: Partial<DefinitionVersion> = {}): DefinitionVersion => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: schema },
  ...more,
});

const definition = (versions: DefinitionVersion[]): Definition => ({
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: `ducks.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'ducks', kind: 'Duck', singular: 'duck', listKind: 'DuckList' },
    versions,
  },
  status: {
    acceptedNames: { plural: 'ducks', kind: 'Duck', singular: 'duck', listKind: 'DuckList', shortNames: ['dk'] },
  },
});

const served = (versions: DefinitionVersion[]) =>
  customResources(definition(versions), relabel, new AbortController().signal);
const duck = (apiVersion: string, more: object = {}) =>
  ({ kind: 'Duck', apiVersion: `${group}/${apiVersion}`, metadata: { name: 'one' }, ...more }) as KubeObject;

describe('a served version', () => {
  const schema = o(
    { spec: o({ x: { type: 'integer', default: 7 }, y: { type: 'string' } }), status: o({ a: { type: 'integer' } }) },
    {},
  );
  const subresources = { status: {}, scale: { specReplicasPath: '.spec.x', statusReplicasPath: '.status.a' } };
  const [resource] = served([version('v1', schema, { storage: true, subresources })]);

  it('has the accepted names and the verbs and subresources of a custom kind', () => {
    expect(resource).toMatchObject({
      plural: 'ducks',
      kind: 'Duck',
      listKind: 'DuckList',
      singular: 'duck',
      shortNames: ['dk'],
      namespaced: true,
    });
    expect([...(resource?.verbs ?? [])]).toEqual([
      'delete',
      'deletecollection',
      'get',
      'list',
      'patch',
      'create',
      'update',
      'watch',
    ]);
    const subVerbs = new Set(['get', 'patch', 'update']);
    expect([...(resource?.subresources.values() ?? [])]).toEqual([
      { name: 'status', kind: 'Duck', group, version: 'v1', verbs: subVerbs },
      { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: subVerbs },
    ]);
  });

  it('shows a stored object with its defaults and without what it no longer knows', () => {
    const stored = duck('v1', { spec: { gone: 1 } });
    expect(resource?.served.conversion?.fromStorage(stored)).toEqual(duck('v1', { spec: { x: 7 } }));
    expect(stored).toEqual(duck('v1', { spec: { gone: 1 } }));
    const settled = duck('v1', { spec: { x: 1 } });
    expect(resource?.served.conversion?.fromStorage(settled)).toBe(settled);
  });

  it('finds nothing twice in a status that is written alone', () => {
    const twice = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } } as const;
    const both = o({ spec: o({ l: twice }), status: o({ l: twice }) });
    const [kind] = served([version('v1', both, { storage: true, subresources: { status: {} } })]);
    const next = duck('v1', { spec: { l: ['a', 'a'] }, status: { l: ['a', 'a'] } });
    const { status } = kind?.rules.subresources ?? {};
    expect(allOf(status?.validateUpdate?.(next, next, context))).toEqual([]);
    const causes = allOf(kind?.rules.validateUpdate?.(next, duck('v1', {}), context));
    expect(causes.map(({ field }) => field)).toContain('spec.l[1]');
  });

  it('knows the form of a version that nobody is served any more, and of none that never was', () => {
    const [kind] = served([version('v1', schema, { storage: true }), version('v2', schema, { served: false })]);
    expect(kind?.custom?.version('v2')).toMatchObject({ apiVersion: `${group}/v2`, structure: { type: 'struct' } });
    expect(kind?.custom?.version('v1')).toMatchObject({ apiVersion: `${group}/v1` });
    expect(kind?.custom?.version('v3')).toBeUndefined();
  });

  it('counts the generation by all but metadata and the status', () => {
    const before = duck('v1', { spec: { x: 1 }, status: { a: 1 } });
    const rises = (next: KubeObject) => resource?.rules.generationRises?.(next, before);
    expect(rises({ ...before, status: { a: 2 }, metadata: { name: 'one', labels: { a: 'b' } } })).toBe(false);
    expect(rises({ ...before, spec: { x: 2 } })).toBe(true);
    expect(rises({ ...before, more: 1 })).toBe(true);
  });

  it('takes only the status, and the new managers, from a write to the status', () => {
    const before = duck('v1', { spec: { x: 1 }, metadata: { name: 'one', labels: { a: 'b' }, resourceVersion: '4' } });
    const next = duck('v1', {
      spec: { x: 9 },
      more: 1,
      status: { a: 2 },
      metadata: { name: 'one', labels: { other: 'x' }, managedFields: [{ manager: 'm' }] },
    });
    resource?.rules.subresources?.['status']?.prepareUpdate?.(next, before, context);
    expect(next).toEqual(
      duck('v1', {
        spec: { x: 1 },
        status: { a: 2 },
        metadata: { name: 'one', labels: { a: 'b' }, managedFields: [{ manager: 'm' }] },
      }),
    );
  });

  it('checks what scale shows besides the schema', () => {
    const errors = allOf(resource?.rules.validateCreate?.(duck('v1', { spec: { x: -1 } }), context));
    expect(errors.map(({ field }) => field)).toEqual(['.spec.x']);
    const none = allOf(resource?.rules.validateCreate?.(duck('v1', { spec: 'text' }), context));
    expect(none.map(({ field }) => field)).toEqual(['spec', '.spec.x']);
  });

  it('skips its rules when the object is not well formed', () => {
    const ruled = o({
      a: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == "x"' }] },
      b: { type: 'integer', minimum: 1 },
    });
    const [other] = served([version('v1', ruled, { storage: true })]);
    const told = (more: object) =>
      allOf(other?.rules.validateCreate?.(duck('v1', more), context)).map(({ field, reason }) => `${reason} ${field}`);
    expect(told({ a: 'y', b: 'no' })).toEqual(['FieldValueTypeInvalid b', 'FieldValueInvalid <nil>']);
    expect(told({ a: 'y', b: 0 })).toEqual(['FieldValueInvalid b', 'FieldValueInvalid a']);
  });
});

describe('several versions', () => {
  const fields = (name: string) => o({ spec: o({ a: { type: 'string' }, [name]: { type: 'string' } }) });
  const all = served([
    version('v1beta1', fields('old'), { deprecated: true }),
    version('v1', fields('now'), { storage: true }),
    version('v1alpha1', fields('now'), { deprecated: true, deprecationWarning: 'please move on' }),
    version('v3', fields('x'), { served: false }),
  ]);
  const of = (name: string) => all.find((each) => each.served.version === name);

  it('are served in the order of discovery', () => {
    expect(all.map((each) => each.served.version)).toEqual(['v1', 'v1beta1', 'v1alpha1']);
  });

  it('are stored in one, without what that one lacks', () => {
    const beta = of('v1beta1');
    expect(beta?.served.conversion?.toStorage(duck('v1beta1', { spec: { a: 'x', old: 'y' } }))).toEqual(
      duck('v1', { spec: { a: 'x' } }),
    );
    expect(of('v1beta1')?.served.conversion?.fromStorage(duck('v1', { spec: { a: 'x', now: 'z' } }))).toEqual(
      duck('v1beta1', { spec: { a: 'x' } }),
    );
  });

  it('warn when they are deprecated', () => {
    expect(of('v1')?.deprecation).toBeUndefined();
    expect(of('v1beta1')?.deprecation).toBe(`${group}/v1beta1 Duck is deprecated; use ${group}/v1 Duck`);
    expect(of('v1alpha1')?.deprecation).toBe('please move on');
  });

  it('are validated as they were written', () => {
    const strict = { ...fields('old'), required: ['spec'] };
    const [v1, beta] = served([version('v1', fields('a'), { storage: true }), version('v1beta1', strict)]);
    expect(allOf(beta?.rules.validateCreate?.(duck('v1'), context))).toHaveLength(1);
    expect(allOf(v1?.rules.validateCreate?.(duck('v1'), context))).toEqual([]);
  });
});

describe('OpenAPI', () => {
  const name = 'com.example.shop.v1.Duck';
  const definitionsOf = (schema: JsonSchema, documentVersion: 2 | 3) => {
    const [resource] = served([version('v1', schema, { storage: true })]);
    if (!resource) throw new Error('nothing is served');
    return (documentVersion === 2 ? openApiV2 : openApiV3)(resource).definitions;
  };
  /** How one property is told. */
  const propertiesOf = (documentVersion: 2 | 3, spec: JsonSchema): unknown =>
    Object(definitionsOf(o({ spec }), documentVersion)[name]?.['properties'])['spec'];

  it('names the kind and its list', () => {
    const definitions = definitionsOf(o({ spec: { type: 'string' } }), 3);
    expect(Object.keys(definitions)).toEqual([name, `${name}List`]);
    expect(definitions[name]?.['x-kubernetes-group-version-kind']).toEqual([{ group, kind: 'Duck', version: 'v1' }]);
    expect(Object.keys(Object(definitions[name]?.['properties']))).toEqual(['spec', 'apiVersion', 'kind', 'metadata']);
  });

  const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
  const either = [{ type: 'integer' }, { type: 'string' }];
  const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true } as const;
  const kept = { 'x-kubernetes-preserve-unknown-fields': true } as const;

  it.each<[string, JsonSchema, object, object]>([
    ['a default', { type: 'string', default: 'x' }, { default: 'x' }, { type: 'string' }],
    ['an example', { type: 'string', example: 1, externalDocs: {} }, { type: 'string' }, { type: 'string' }],
    ['what may be null', { type: 'integer', nullable: true, minimum: 1 }, { nullable: true }, { minimum: 1 }],
    ['a text that keeps fields', { type: 'string', ...kept }, { type: 'string' }, { type: 'string', ...kept }],
    ['what keeps fields', o({ a: {} }, { required: ['a'], ...kept }), o({ a: {} }), { required: ['a'], ...kept }],
    [
      'an integer or text',
      { 'x-kubernetes-int-or-string': true, maximum: 5 },
      { anyOf: either, maximum: 5 },
      { 'x-kubernetes-int-or-string': true, maximum: 5 },
    ],
    [
      'properties that may be null',
      o({ a: { type: 'string', nullable: true }, b: { type: 'string' } }, { required: ['a', 'b'] }),
      { required: ['a', 'b'] },
      { required: ['b'], properties: { a: {}, b: { type: 'string' } }, type: 'object' },
    ],
    ['junctors', { type: 'string', anyOf: [{}], not: {} }, { anyOf: [{}], not: {} }, { type: 'string' }],
    ['rules', { 'x-kubernetes-validations': [] }, {}, { 'x-kubernetes-validations': [] }],
  ])('tells of %s what each version can', (_, schema, inThree, inTwo) => {
    expect(propertiesOf(3, schema)).toMatchObject(inThree);
    expect(propertiesOf(2, schema)).toEqual(inTwo);
  });

  it('describes the envelope of embedded resources, but not in version 2 where all is kept', () => {
    const metadata = { allOf: [{ $ref: `#/components/schemas/${meta}` }] };
    expect(propertiesOf(3, { ...embedded, ...kept, required: ['spec'] })).toMatchObject({
      properties: { metadata },
      required: ['spec', 'kind', 'apiVersion'],
    });
    expect(propertiesOf(2, embedded)).toMatchObject({ required: ['kind', 'apiVersion'] });
    expect(propertiesOf(2, { ...embedded, ...kept })).toEqual({ 'x-kubernetes-embedded-resource': true, ...kept });
  });

  it('names no fields in version 2 where all are kept', () => {
    const free = definitionsOf(o({ spec: o({}) }, kept), 2);
    expect(free[name]).toEqual({
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group, kind: 'Duck', version: 'v1' }],
    });
  });
});
