import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';
import { defineThings } from '../definition/definition.fixture.ts';

const path = '/apis/example.com/v1/namespaces/default/things';
const merge = 'application/merge-patch+json';
const json = 'application/json-patch+json';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await defineThings(server, { schema: { openAPIV3Schema: { type: 'object' } } });
  await server.post(path, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'one' } });
});
afterAll(() => server.stop());

it.each<[string, object, string]>([
  [merge, { kind: null }, 'patch'],
  [merge, { kind: '' }, 'patch'],
  [json, [{ op: 'remove', path: '/kind' }], 'patch'],
  [json, [{ op: 'replace', path: '', value: { name: 'two' } }], 'patch'],
  [merge, { apiVersion: 'a/b/c' }, 'patch'],
  [merge, { kind: 'Other' }, 'kind'],
  [merge, { apiVersion: 'example.com/v7' }, 'apiVersion'],
])('a %s of the type of a custom object, %j, is told at %s', async (type, body, field) => {
  const answer = await server.patch(`${path}/one`, body, type);
  expect([answer.status, answer.body.details.causes[0].field]).toEqual([422, field]);
});
