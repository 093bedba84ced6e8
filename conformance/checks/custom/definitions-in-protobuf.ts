import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { protobufType } from '../../verbs/protobuf.ts';
import { said } from '../../verbs/said.ts';

/** Of each sort of thing that a schema can say: numbers with a fraction, values of any form, and schemas within schemas. */
const spec: Json = {
  type: 'object',
  required: ['ratio'],
  properties: {
    ratio: { type: 'number', minimum: 0.25, maximum: 1.5, exclusiveMaximum: true, multipleOf: 0.25 },
    word: { type: 'string', enum: ['', 'a'], default: '', nullable: true, maxLength: 0, description: 'ä ✓' },
    parts: { type: 'object', additionalProperties: { type: 'array', items: { type: 'boolean', default: false } } },
    free: { type: 'object', additionalProperties: true },
    rest: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, example: { a: [1, null, { b: 0 }] } },
    either: { 'x-kubernetes-int-or-string': true, anyOf: [{ minimum: 0 }, { pattern: '^$' }] },
  },
};

const schemaOf = ({ spec }: Json): Json => spec.versions[0].schema.openAPIV3Schema.properties.spec;

/** A custom type's definition is of a built-in kind: it is read and written in protobuf, and nothing of it is lost. */
export async function keepsDefinition(context: RuleContext): Promise<void> {
  const { definitions, waitUntil, expect } = context;
  const { at } = await customType(context, { spec });
  const name = `${at.resource}.${at.group}`;
  const before = schemaOf(await definitions.read(name));
  // The server itself writes to it meanwhile.
  await waitUntil('the definition is written in protobuf', writtenBack, ({ status }) => status !== 409);
  async function writtenBack() {
    const { status, bytes } = await definitions.get(name, '', { headers: { accept: protobufType } });
    expect(status, 'the definition in protobuf').toBe(200);
    const put = await definitions.put(bytes, '', { name, headers: { 'content-type': protobufType } });
    expect([200, 409], `the definition, written back: ${said(put)}`).toContain(put.status);
    return put;
  }
  const after = schemaOf(await definitions.read(name));
  expect(after, 'the schema as it was sent').toMatchObject(spec);
  expect(after, 'the schema after it was written back').toEqual(before);
}
