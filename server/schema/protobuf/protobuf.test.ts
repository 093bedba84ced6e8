import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worked } from '../../../fixtures/worked.fixture.ts';
import type { Json } from '../../base/kube-object.ts';
import { apiVersionOf } from '../../base/kube-object.ts';
import { StatusError } from '../../base/status-error.ts';
import { builtInResources, protobufMessages, protobufNameOf, structureOfKind } from '../load.ts';
import { fitting } from '../structure.fixture.ts';
import { planOf } from './plan.ts';
import { decodeProtobuf, encodeProtobuf, protobufEvent } from './protobuf.ts';

type Members = { [key: string]: Json };

/** All kinds that bodies and answers can have. */
const kinds = [
  ...new Map(
    builtInResources()
      .flatMap(({ group, version, kind, subresources }) => [
        { group, version, kind },
        ...subresources.map((sub) => ({ group: sub.group ?? group, version: sub.version ?? version, kind: sub.kind })),
      ])
      .map((each) => [`${apiVersionOf(each.group, each.version)} ${each.kind}`, each]),
  ).values(),
].flatMap((each) => {
  const structure = structureOfKind(each.group, each.version, each.kind);
  return structure ? [{ ...each, apiVersion: apiVersionOf(each.group, each.version), structure }] : [];
});

/** What stands in the place of a schema has a form of its own, which a structure does not tell. */
const eitherOr = ['items', 'additionalItems', 'additionalProperties', 'dependencies'];

/** Objects inside others have no kind of their own on the wire; references have one. */
function isNotOnTheWire(definition: string, member: string): boolean {
  if (definition.endsWith('.JSONSchemaProps') && eitherOr.includes(member)) return true;
  const message = protobufNameOf(definition);
  if ((member !== 'kind' && member !== 'apiVersion') || !protobufMessages().has(message)) return false;
  return !planOf(message).fields.some(({ name }) => name === member);
}

const objectOf = ({ kind, apiVersion, structure }: (typeof kinds)[number]) =>
  fitting(structure, isNotOnTheWire).map((value) => ({ ...(value as Members), kind, apiVersion }));

/** A field of a message: its number, and texts or messages. */
const field = (number: number, content: Uint8Array) => {
  const length: number[] = [];
  for (let left = content.length; ; left >>>= 7) {
    if (left < 0x80) {
      length.push(left);
      break;
    }
    length.push((left & 0x7f) | 0x80);
  }
  const tag = (number << 3) | 2;
  return Buffer.concat([
    Buffer.from(tag < 0x80 ? [tag] : [(tag & 0x7f) | 0x80, tag >> 7]),
    Buffer.from(length),
    content,
  ]);
};

const refused = (bytes: Uint8Array): StatusError | undefined => {
  try {
    decodeProtobuf(bytes);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(StatusError);
    return error as StatusError;
  }
};

describe('an object in protobuf', () => {
  it.each(kinds)('of $kind in $apiVersion comes back as it went', (kind) => {
    fc.assert(
      fc.property(objectOf(kind), (object) => {
        expect(decodeProtobuf(encodeProtobuf(object))).toEqual(object);
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    [{ items: { type: 'string' } }],
    [{ items: [{ type: 'string' }, { type: 'integer' }] }],
    [{ additionalItems: true }],
    [{ additionalItems: false }],
    [{ additionalProperties: { properties: { a: { additionalProperties: false } } } }],
    [{ dependencies: { a: ['b', 'c'], d: { type: 'object' } } }],
    [{ default: { a: [1, null, 'x'] }, enum: [1, 'a', null, { b: true }], example: false }],
  ])('keeps what may be a schema or something else: %j', (openAPIV3Schema) => {
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
    const definition = { kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1', spec: { versions } };
    expect(decodeProtobuf(encodeProtobuf(definition))).toEqual(definition);
  });

  it.each([
    9007199254740993n,
    -9007199254740993n,
    9223372036854775807n,
    -9223372036854775808n,
    Number.MAX_SAFE_INTEGER,
    -1,
  ])('keeps all digits of %s', (terminationGracePeriodSeconds) => {
    const pod = { kind: 'Pod', apiVersion: 'v1', spec: { terminationGracePeriodSeconds } };
    expect(decodeProtobuf(encodeProtobuf(pod))).toEqual(pod);
  });

  it('begins with the prefix that tells it from JSON', () => {
    expect([...encodeProtobuf({ kind: 'Pod', apiVersion: 'v1' }).subarray(0, 4)]).toEqual([0x6b, 0x38, 0x73, 0]);
  });

  it('is refused for a kind that has no message', () => {
    expect(() => encodeProtobuf({ kind: 'Unheard', apiVersion: 'example.com/v1' })).toThrow(StatusError);
    expect(() => encodeProtobuf({})).toThrow(StatusError);
  });

  it('keeps keys that are special in JavaScript', () => {
    const data = JSON.parse('{"__proto__":"a","constructor":"b"}');
    const object = { kind: 'ConfigMap', apiVersion: 'v1', data };
    const back = decodeProtobuf(encodeProtobuf(object)) as Members;
    expect(JSON.stringify(back['data'])).toBe('{"__proto__":"a","constructor":"b"}');
  });
});

describe('a body of few words', () => {
  const configMap = { kind: 'ConfigMap', apiVersion: 'v1' };
  const text = (number: number, content: string) => field(number, Buffer.from(content));
  const body = (...raw: Uint8Array[]) => Buffer.concat([Buffer.from('k8s\0'), field(2, Buffer.concat(raw))]);

  it.each([
    ['neither', []],
    ['its version alone', [field(1, text(1, 'v1'))]],
    ['its kind alone', [field(1, text(2, 'ConfigMap'))]],
  ])('that names %s is what is expected', (_, meta) => {
    const named = Buffer.concat([body(field(1, text(1, 'one'))), ...meta]);
    expect(decodeProtobuf(named, configMap)).toEqual({ ...configMap, metadata: { name: 'one' } });
  });

  it('that names nothing is nothing where nothing is expected', () => {
    expect(refused(body(field(1, text(1, 'one'))))?.status.code).toBe(400);
  });

  it('that says nothing at all is nothing, whatever is expected', () => {
    expect(() => decodeProtobuf(Buffer.from('k8s\0'), configMap)).toThrow(StatusError);
  });

  it('puts a message together that comes in parts', () => {
    const parts = body(
      field(1, text(1, 'one')),
      field(2, Buffer.concat([text(1, 'a'), text(2, 'b')])),
      field(1, text(2, 'o-')),
    );
    expect(decodeProtobuf(parts, configMap)).toEqual({
      ...configMap,
      metadata: { name: 'one', generateName: 'o-' },
      data: { a: 'b' },
    });
  });

  it('keeps a set of fields that is no JSON', () => {
    const entry = Buffer.concat([text(1, 'm'), field(7, text(1, '{"f:data'))]);
    expect(decodeProtobuf(body(field(1, field(17, entry))), configMap)).toEqual({
      ...configMap,
      metadata: { managedFields: [{ manager: 'm', fieldsV1: '{"f:data' }] },
    });
  });
});

describe('bytes that are no object in protobuf', () => {
  const pod = encodeProtobuf({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'a', labels: { b: 'c' }, creationTimestamp: '2024-01-02T03:04:05Z' },
    spec: {
      containers: [{ name: 'x', image: 'y', ports: [{ containerPort: 80 }] }],
      terminationGracePeriodSeconds: 30,
    },
  });

  it('are refused when they end anywhere but at the end', () => {
    const lengths = Array.from({ length: pod.length }, (_, length) => length);
    const accepted = lengths.filter((length) => refused(pod.subarray(0, length))?.status.code !== 400);
    // The name of the kind alone, and all but the one or two empty texts at the end, are complete in themselves.
    const complete = [15, pod.length - 4, pod.length - 2];
    expect(accepted.filter((length) => !complete.includes(length))).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['the prefix alone', [0x6b, 0x38, 0x73, 0]],
    ['another prefix', [0x6b, 0x38, 0x73, 1, 10, 0]],
    ['a length of four gigabytes', [0x6b, 0x38, 0x73, 0, 18, 0xff, 0xff, 0xff, 0xff, 0x0f]],
    ['a number without an end', [0x6b, 0x38, 0x73, 0, ...Array(20).fill(0xff)]],
    ['a group', [0x6b, 0x38, 0x73, 0, ...Array(1000).fill(11)]],
    ['a wire type that does not exist', [0x6b, 0x38, 0x73, 0, 15]],
    ['field number zero', [0x6b, 0x38, 0x73, 0, 0, 0]],
  ])('%s', (_, bytes) => {
    expect(refused(Uint8Array.from(bytes))?.status.code).toBe(400);
  });

  it('nested without measure', () => {
    // JSON schemas hold schemas: field 16 of one is another, each a little longer than the last.
    let schema = Buffer.alloc(0);
    for (let i = 0; i < 2000; i++) schema = field(30, schema);
    const version = field(7, field(4, field(1, schema)));
    const meta = Buffer.concat([
      field(1, Buffer.from('apiextensions.k8s.io/v1')),
      field(2, Buffer.from('CustomResourceDefinition')),
    ]);
    const raw = field(2, version);
    refused(Buffer.concat([Buffer.from('k8s\0'), field(1, meta), field(2, raw)]));
  });

  it('changed at random never do anything but fit or be refused, at once', () => {
    const samples = kinds.filter(({ kind }) =>
      ['Pod', 'Deployment', 'CustomResourceDefinition', 'Event', 'Job', 'Ingress'].includes(kind),
    );
    const change = fc.record({
      at: fc.nat(),
      byte: fc.nat(255),
      cut: fc.nat(3),
      insert: fc.uint8Array({ maxLength: 3 }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...samples).chain(objectOf),
        fc.array(change, { minLength: 1, maxLength: 5 }),
        (object, changes) => {
          let bytes = encodeProtobuf(object);
          for (const { at, byte, cut, insert } of changes) {
            const position = 4 + (at % (bytes.length - 4));
            bytes = Buffer.concat([
              bytes.subarray(0, position),
              Buffer.from([byte]),
              insert,
              bytes.subarray(position + cut),
            ]);
          }
          const begin = worked();
          const error = refused(bytes);
          expect(error?.status.code ?? 400).toBe(400);
          expect(worked() - begin).toBeLessThan(500);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('an event of a watch in protobuf', () => {
  it('is framed by its length', () => {
    const object = encodeProtobuf({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x' } });
    const event = protobufEvent('ADDED', object);
    expect(event.readUInt32BE(0)).toBe(event.length - 4);
    expect(event.includes('ADDED')).toBe(true);
    expect(event.includes(object)).toBe(true);
  });
});
