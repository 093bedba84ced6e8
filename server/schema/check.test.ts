import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/kube-object.ts';
import { StatusError } from '../base/status-error.ts';
import { atOnce } from '../base/turns/work.ts';
import { configMap, definition, deployment, mistakeOf, pod, read } from './check.fixture.ts';
import { checking, checkStructure } from './check.ts';
import { builtInResources, structureOf, structureOfKind } from './load.ts';
import type { StructType, Structure } from './structure.ts';

describe('types', () => {
  const spec = (fields: string) => `{"spec":{${fields}}}`;

  test.each([
    [configMap, '[]', 'must be an object'],
    [configMap, '"text"', 'must be an object'],
    [configMap, '{"metadata":"x"}', 'metadata: json: cannot unmarshal string into a field of type ObjectMeta'],
    [configMap, '{"data":["a"]}', 'data: json: cannot unmarshal array into a field of type map'],
    [configMap, '{"data":{"a":1}}', 'data.a: json: cannot unmarshal number 1 into a field of type string'],
    [configMap, '{"immutable":"true"}', 'immutable: json: cannot unmarshal string into a field of type bool'],
    [configMap, '{"kind":1}', 'kind: json: cannot unmarshal number 1 into a field of type string'],
    [configMap, '{"binaryData":{"a":"***="}}', 'binaryData.a: illegal base64'],
    [configMap, '{"binaryData":{"a":"YQ"}}', 'binaryData.a: illegal base64'],
    [
      configMap,
      '{"metadata":{"finalizers":{"a":1}}}',
      'metadata.finalizers: json: cannot unmarshal object into a field of type list',
    ],
    [configMap, '{"metadata":{"ownerReferences":[{"uid":1}]}}', 'metadata.ownerReferences[0].uid: json'],
    [configMap, '{"metadata":{"generation":9223372036854775808}}', 'into a field of type int64'],
    [deployment, spec('"replicas":5.0'), 'spec.replicas: json: cannot unmarshal number 5'],
    [deployment, spec('"replicas":1e2'), 'spec.replicas'],
    [deployment, spec('"replicas":1.5'), 'spec.replicas'],
    [deployment, spec('"replicas":"5"'), 'spec.replicas'],
    [deployment, spec('"replicas":2147483648'), 'spec.replicas'],
    [deployment, spec('"replicas":9007199254740993'), 'spec.replicas'],
    [deployment, spec('"strategy":{"rollingUpdate":{"maxSurge":true}}'), 'maxSurge'],
    [
      pod,
      spec('"containers":[{"resources":{"limits":{"cpu":"lots"}}}]'),
      'spec.containers[0].resources.limits.cpu: quantity "lots"',
    ],
    [
      pod,
      spec('"containers":["c"]'),
      'spec.containers[0]: json: cannot unmarshal string into a field of type Container',
    ],
    [
      pod,
      spec('"containers":{"name":"c"}'),
      'spec.containers: json: cannot unmarshal object into a field of type list',
    ],
  ] as const)('%#: %o refuses %s', (type, text, message) => {
    expect(mistakeOf(type, text)).toContain(message);
  });

  test('numbers that fit are taken', () => {
    const { value } = read(
      deployment,
      spec('"replicas":-2147483648,"strategy":{"rollingUpdate":{"maxSurge":2,"maxUnavailable":"25%"}}'),
    );
    expect(value).toMatchObject({
      spec: { replicas: -2147483648, strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: '25%' } } },
    });
    expect(read(configMap, '{"metadata":{"generation":9223372036854775807}}').value).toMatchObject({
      metadata: { generation: 9223372036854775807n },
    });
  });
});

describe('unknown fields', () => {
  test('the topmost ones are reported in the order of the text and dropped', () => {
    const { value, faults } = read(
      pod,
      '{"nosuch":{"x":1},"metadata":{"Labels":{},"labels":{"any.key/x":"1"}},"spec":{"containers":[{"name":"a"},{"nam":"b","env":[{"val":1}]}]},"":1}',
    );
    expect(faults).toEqual([
      'unknown field "nosuch"',
      'unknown field "metadata.Labels"',
      'unknown field "spec.containers[1].nam"',
      'unknown field "spec.containers[1].env[0].val"',
      'unknown field ""',
    ]);
    expect(value).toMatchObject({
      metadata: { labels: { 'any.key/x': '1' } },
      spec: { containers: [{ name: 'a' }, { env: [{ name: '' }] }] },
    });
    expect(JSON.stringify(value)).not.toMatch(/nosuch|nam"|val"|Labels/);
  });

  test('free-form parts have none', () => {
    const { faults } = read(configMap, '{"metadata":{"managedFields":[{"fieldsV1":{"f:x":{}}}]}}');
    expect(faults).toEqual([]);
  });

  test('inside a schema that may be one of two things they are dropped without a word', () => {
    const schema = (inner: string) => `{"spec":{"versions":[{"schema":{"openAPIV3Schema":${inner}}}]}}`;
    const { value, faults } = read(
      definition,
      schema(
        '{"const":1,"items":{"type":"string","const":1},"additionalProperties":false,"properties":{"a":{"const":2}},"default":{"const":3}}',
      ),
    );
    expect(faults).toEqual([
      'unknown field "spec.versions[0].schema.openAPIV3Schema.const"',
      'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.a.const"',
    ]);
    expect(value).toMatchObject({
      spec: {
        versions: [
          {
            schema: {
              openAPIV3Schema: { items: { type: 'string' }, additionalProperties: false, default: { const: 3 } },
            },
          },
        ],
      },
    });
    expect(JSON.stringify(value)).not.toContain('"items":{"type":"string","const"');
  });

  test('__proto__ is an unknown field, and a harmless map key', () => {
    const { value, faults } = read(configMap, '{"__proto__":{"x":1},"data":{"__proto__":"v"}}');
    expect(faults).toEqual(['unknown field "__proto__"']);
    expect(Object.keys(value.data as object)).toEqual(['__proto__']);
  });

  test('only so many are listed', () => {
    const fields = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`f${index}`, 1]));
    expect(read(configMap, JSON.stringify(fields)).faults).toHaveLength(1000);
  });
});

describe('custom types', () => {
  const struct = (fields: Record<string, Structure>, more: Partial<StructType> = {}): StructType => ({
    type: 'struct',
    name: '',
    fields: new Map(Object.entries(fields).map(([name, type]) => [name, { type }])),
    required: [],
    atomic: false,
    preserveUnknown: false,
    embedded: false,
    ...more,
  });
  const integer: Structure = { type: 'scalar', scalar: 'int64' };
  const list = (items: Structure): Structure => ({ type: 'list', items, listType: 'atomic', keys: [] });
  const map = (values: Structure): Structure => ({ type: 'map', values, atomic: false });
  const pruned = (type: StructType, value: Json) => {
    const checked = checkStructure(value, type, { mode: 'prune' });
    return { value: checked.value, paths: checked.unknown.map(({ path }) => path) };
  };

  test('unknown fields are dropped; types and nulls are left to the validator', () => {
    const type = struct({
      spec: struct({ size: integer, parts: list(struct({ name: integer })), by: map(struct({ v: integer })) }),
    });
    expect(
      pruned(type, { spec: { size: 'big', parts: [{ name: null, x: 1 }, 'odd'], by: { k: { v: 1, w: 2 } }, gone: 1 } }),
    ).toEqual({
      value: { spec: { size: 'big', parts: [{ name: null }, 'odd'], by: { k: { v: 1 } } } },
      paths: ['spec.parts[0].x', 'spec.by.k.w', 'spec.gone'],
    });
  });

  test('a preserving field keeps what is unknown, but its described children are pruned again', () => {
    const type = struct({ free: struct({ typed: struct({ a: integer }) }, { preserveUnknown: true }) });
    expect(pruned(type, { free: { anything: { b: 1 }, typed: { a: 1, b: 2 } } })).toEqual({
      value: { free: { anything: { b: 1 }, typed: { a: 1 } } },
      paths: ['free.typed.b'],
    });
  });

  test('the envelope of an embedded resource is read like that of an object', () => {
    const metadata = structureOf('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') as Structure;
    const text: Structure = { type: 'scalar', scalar: 'string', refused: true };
    const type = struct({ template: struct({ kind: text, apiVersion: text, metadata, spec: struct({}) }) });
    expect(
      pruned(type, {
        template: { kind: 'X', apiVersion: 'v1', metadata: { name: 'n', bad: 1 }, spec: { x: 1 }, other: 1 },
      }),
    ).toEqual({
      value: { template: { kind: 'X', apiVersion: 'v1', metadata: { name: 'n' }, spec: {} } },
      paths: ['template.metadata.bad', 'template.spec.x', 'template.other'],
    });
    expect(pruned(type, { template: { metadata: null } }).value).toEqual({ template: { metadata: {} } });
    expect(() => pruned(type, { template: { kind: 1 } })).toThrow('template.kind: Invalid value: 1');
    const large = 2n ** 53n + 1n;
    expect(() => pruned(type, { template: { apiVersion: [large] } })).toThrow(
      'Invalid value: [9007199254740993]: must',
    );
    expect(() => pruned(type, { template: { kind: null } })).toThrow('template.kind: Invalid value: null');
    const said = struct({ template: struct({ metadata: { ...metadata, described: true } as Structure }) });
    expect(pruned(said, { template: { metadata: null } }).value).toEqual({ template: { metadata: null } });
  });

  test('what stands inside a value of another type is not known', () => {
    const type = struct({ n: integer, list: list(integer), any: { type: 'any', unknownInside: true } });
    expect(pruned(type, { n: { a: 1 }, list: [{ b: 1 }], any: { c: [{ d: 1 }] } })).toEqual({
      value: { n: {}, list: [{}], any: {} },
      paths: ['n.a', 'list[0].b', 'any.c'],
    });
  });
});

describe('any input', () => {
  const types = builtInResources().flatMap(({ group, version, kind }) => structureOfKind(group, version, kind) ?? []);

  /** Values that nearly fit a type. */
  const nearly = (type: Structure, depth: number): fc.Arbitrary<unknown> => {
    const odd = fc.constantFrom<unknown>(null, '', 0, 1.5, 'x', true, [], {}, '1Gi', 9007199254740992);
    if (depth === 0 || type.type === 'scalar' || type.type === 'any') return odd;
    const inner = fc.constant(null).chain(() => {
      if (type.type === 'list') return fc.array(nearly(type.items, depth - 1), { maxLength: 2 });
      if (type.type === 'map') return fc.dictionary(fc.string(), nearly(type.values, depth - 1), { maxKeys: 2 });
      const fields = [...type.fields].slice(0, 40);
      if (fields.length === 0) return odd;
      return fc
        .array(
          fc
            .constantFrom(...fields)
            .chain(([name, field]) => nearly(field.type, depth - 1).map((value) => [name, value] as const)),
          { maxLength: 4 },
        )
        .map((members) => Object.fromEntries(members));
    });
    return fc.oneof({ weight: 8, arbitrary: inner }, { weight: 1, arbitrary: odd });
  };

  test('is refused with a Status, or taken in a form that a second walk leaves as it is', () => {
    const cases = fc.constantFrom(...types).chain((type) => nearly(type, 6).map((value) => ({ type, value })));
    fc.assert(
      fc.property(cases, ({ type, value }) => {
        try {
          const once = checkStructure(structuredClone(value) as Json, type).value;
          expect(checkStructure(structuredClone(once), type)).toMatchObject({ value: once, unknown: [] });
        } catch (error) {
          if (!(error instanceof StatusError)) throw error;
        }
      }),
      { numRuns: 500 },
    );
  });

  test('the deepest nesting that is read can be walked', () => {
    const deep = (opening: string, closing: string, levels: number) =>
      `${opening.repeat(levels)}{}${closing.repeat(levels)}`;
    const inSchema = (schema: string) => `{"spec":{"versions":[{"schema":{"openAPIV3Schema":${schema}}}]}}`;
    expect(mistakeOf(definition, inSchema(deep('{"not":', '}', 990)))).toBe('none');
    expect(mistakeOf(definition, inSchema(deep('{"items":', '}', 990)))).toBe('none');
    expect(mistakeOf(definition, inSchema(deep('{"items":[', ']}', 490)))).toBe('none');
  });
});

describe('in turns with others', () => {
  const pod = structureOf('io.k8s.api.core.v1.Pod') as StructType;
  const withContainers = (count: number, odd: { readonly [index: number]: object }) =>
    ({
      spec: { containers: Array.from({ length: count }, (_, n) => ({ name: `c${n}`, ...odd[n] })), nodeName: '' },
    }) as Json;
  const inTurns = (value: Json) => checking(value, pod, { inTurns: true });

  test('long lists come to what they come to at once, also within each other', () => {
    const long = Array.from({ length: 6000 }, (_, n) => ({ name: `V${n}`, value: '', ...(n === 5999 && { y: 1 }) }));
    const sent = withContainers(12_000, { 0: { env: long }, 7000: { image: '', ports: [] }, 11999: { z: 1 } });
    const work = inTurns(structuredClone(sent));
    let turns = 0;
    for (;;) {
      const { done, value } = work.next();
      if (done) {
        expect(value.value).toEqual(checkStructure(structuredClone(sent), pod).value);
        const unknown = ['spec.containers[11999].z', 'spec.containers[0].env[5999].y'];
        expect(value.unknown.map(({ path }) => path)).toEqual(unknown);
        expect(value.emptied).toEqual(new Set(['spec.containers.ports']));
        break;
      }
      turns++;
    }
    expect(turns).toBe(5);
  });

  test('a mistake far down is told with its place', () => {
    const work = inTurns(withContainers(12_000, { 11111: { image: 5 } }));
    expect(() => atOnce(work)).toThrow(/^spec\.containers\[11111\]\.image: /);
  });
});
