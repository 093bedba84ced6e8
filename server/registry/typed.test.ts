import { afterAll, beforeAll, expect, it } from 'vitest';
import { defineThings } from '../custom-resources/definition/definition.fixture.ts';
import { startTestServer, type TestServer } from '../stories/test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await defineThings(server, { schema: { openAPIV3Schema: { type: 'object' } } });
});
afterAll(() => server.stop());

const maps = '/api/v1/namespaces/default/configmaps';

it.each([
  ['ConfigMap', maps, { metadata: { name: 'a' }, data: { a: 1 } }],
  ['Secret', '/api/v1/namespaces/default/secrets', { metadata: { name: 'a' }, data: { a: '!!' } }],
  [
    'Thing',
    '/apis/example.com/v1/namespaces/default/things',
    { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a', labels: { a: 1 } } },
  ],
])('a value that cannot be read is told with the kind it was to be part of: %s', async (kind, path, body) => {
  const { status, body: told } = await server.post(path, body);
  expect([status, told.reason]).toEqual([400, 'BadRequest']);
  expect(told.message).toMatch(new RegExp(`^${kind} in version "v1" cannot be handled as a ${kind}: .`));
});

it('so is one that replaces another; what is no object at all is of no kind', async () => {
  await server.post(maps, { metadata: { name: 'there' } });
  const replaced = await server.put(`${maps}/there`, { metadata: { name: 'there' }, data: ['a'] });
  expect([replaced.status, replaced.body.message.split(':')[0]]).toEqual([
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap',
  ]);
  expect((await server.post(maps, [] as never)).body.message).not.toContain('cannot be handled');
});
