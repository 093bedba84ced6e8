import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';
import { defineThings } from '../definition/definition.fixture.ts';

const path = '/apis/example.com/v1/namespaces/default/things/one';
const described: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } };
const schema: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        part: { type: 'object', properties: { inner: described } },
        list: { type: 'array', items: described },
        map: { type: 'object', additionalProperties: described },
        embedded: { ...described, 'x-kubernetes-embedded-resource': true },
      },
    },
    closed: described,
  },
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await defineThings(server, { schema: { openAPIV3Schema: schema } });
});
afterAll(() => server.stop());

const applied = (content: object) =>
  server.patch(
    `${path}?fieldManager=m&force=true`,
    { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'one' }, ...content },
    'application/apply-patch+yaml',
  );
const known = { a: 'x' };
const more = { a: 'x', other: { b: 1 } };

it.each<[string, object, object]>([
  ['itself', { other: [1] }, { other: [1] }],
  ['a part of it', { part: { inner: more, other: 1 } }, { part: { inner: known } }],
  ['the items of a list', { list: [more] }, { list: [known] }],
  ['the values of a map', { map: { key: more } }, { map: { key: known } }],
])('below what keeps unknown fields, those in %s are taken; what is described keeps none', async (_, sent, kept) => {
  const { status, body } = await applied({ spec: sent });
  expect([status < 300, body.spec]).toEqual([true, kept]);
});

it.each<[string, object]>([
  ['.closed.other', { closed: more }],
  ['.metadata.other', { metadata: { name: 'one', other: 1 } }],
  ['.spec.embedded.metadata.other', { spec: { embedded: { metadata: { other: 1 } } } }],
])('elsewhere %s is refused', async (field, content) => {
  const { status, body } = await applied(content);
  expect([status, body.message]).toEqual([400, expect.stringContaining(`${field}: field not declared in schema`)]);
});
