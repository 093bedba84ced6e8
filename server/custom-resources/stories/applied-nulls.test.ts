import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';
import { defineThings } from '../definition/definition.fixture.ts';

const path = '/apis/example.com/v1/namespaces/default/things';
const text = { type: 'string' };
const spec = {
  type: 'object',
  properties: {
    plain: text,
    loose: { type: 'string', nullable: true },
    filled: { type: 'string', default: 'x' },
    map: { type: 'object', additionalProperties: text },
    list: {
      type: 'array',
      items: { type: 'object', properties: { k: text, p: { type: 'string', default: 'TCP' } }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'p'],
    },
  },
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  await defineThings(server, { schema });
});
afterAll(() => server.stop());

const applied = (name: string, given: object) =>
  server.patch(
    `${path}/${name}?fieldManager=m`,
    { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, spec: given },
    'application/apply-patch+yaml',
  );
const causes = ({ body }: Awaited<ReturnType<typeof applied>>) =>
  body.details.causes.map(({ field, reason }: { field: string; reason: string }) => `${reason} ${field}`);

describe('a null that is applied to a custom object', () => {
  it.each([
    ['plain', { plain: null }, 'spec.plain'],
    ['map', { map: null }, 'spec.map'],
    ['inside', { map: { a: null } }, 'spec.map.a'],
  ])('is told of where the schema has no place for it: %s', async (name, given, field) => {
    const answer = await applied(name, given);
    expect([answer.status, ...causes(answer)]).toEqual([422, `FieldValueTypeInvalid ${field}`]);
  });

  it('stays where it is allowed, and gives way to a default', async () => {
    const { status, body } = await applied('fits', { loose: null, filled: null });
    expect([status, body.spec]).toEqual([201, { loose: null, filled: 'x' }]);
  });

  it('is a key like any other', async () => {
    expect((await applied('keyed', { list: [{ k: 'a' }] })).status).toBe(201);
    const answer = await applied('keyed', { list: [{ k: 'a', p: null }, { k: 'a' }] });
    expect([answer.status, ...causes(answer)]).toEqual([422, 'FieldValueDuplicate spec.list[1]']);
  });

  it('is what is left of a map whose parts all go', async () => {
    expect((await applied('emptied', { map: { a: 'x' } })).status).toBe(201);
    const answer = await applied('emptied', { map: {} });
    expect([answer.status, ...causes(answer)]).toEqual([422, 'FieldValueTypeInvalid spec.map']);
  });
});

describe('a null that comes in another way', () => {
  it('is taken for nothing', async () => {
    const made = await server.post(path, {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'posted' },
      spec: { plain: null, map: null },
    });
    expect([made.status, made.body.spec]).toEqual([201, { filled: 'x' }]);
    const patch = [{ op: 'add', path: '/spec/plain', value: null }];
    const patched = await server.patch(`${path}/posted`, patch, 'application/json-patch+json');
    expect([patched.status, patched.body.spec]).toEqual([200, { filled: 'x' }]);
  });
});

it('stores empty metadata that is applied, until the next write', async () => {
  const at = `${path}/bare`;
  const config = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'bare', labels: {} } };
  const made = await server.patch(`${at}?fieldManager=m`, config, 'application/apply-patch+yaml');
  expect(made.body.metadata).not.toHaveProperty('labels');
  const touch = () => server.patch(at, { metadata: {} }, 'application/merge-patch+json');
  const touched = await touch();
  expect(touched.body.metadata.resourceVersion).not.toBe(made.body.metadata.resourceVersion);
  expect((await touch()).body.metadata.resourceVersion).toBe(touched.body.metadata.resourceVersion);
});
