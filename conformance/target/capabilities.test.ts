import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts';
import { explore } from './capabilities.ts';

let fake: FakeServer | undefined;

afterEach(() => fake?.stop());

const json =
  (body: unknown, status = 200) =>
  (response: ServerResponse): boolean =>
    Boolean(response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)));

test('what can be seen from outside is found', async () => {
  fake = await startFakeServer(({ path }, response) => {
    if (path.endsWith('selfsubjectaccessreviews')) return json({ status: { allowed: false } }, 201)(response);
    if (path.endsWith('customresourcedefinitions')) return json({ kind: 'CustomResourceDefinitionList' })(response);
    if (path.endsWith('/nodes'))
      return json({ items: [{ status: { conditions: [{ type: 'Ready', status: 'True' }] } }] })(response);
    if (path === '/version') return json({ gitVersion: 'v1.25.9' })(response);
    return json({}, 404)(response);
  });
  const known = await explore({ url: fake.url }, ['clock']);
  expect([...known.capabilities].sort()).toEqual(['clock', 'crd', 'nodes', 'second-user', 'webhooks']);
  expect(known.version).toBe('v1.25.9');
});

test('what is missing is not found', async () => {
  fake = await startFakeServer((_, response) => json({}, 404)(response));
  const known = await explore({ url: fake.url }, []);
  expect(known.capabilities).toEqual(['webhooks']);
  expect(known.version).toBe('unknown');
});

test('a user who may do anything is no second user', async () => {
  fake = await startFakeServer((_, response) => json({ status: { allowed: true } }, 201)(response));
  expect((await explore({ url: fake.url }, [])).capabilities).not.toContain('second-user');
});

test('a server that is not there has no capabilities, and that is no error', async () => {
  const known = await explore({ url: 'http://192.0.2.1:1', token: 'T' }, ['clock']).catch((error) => error);
  expect(known).toMatchObject({ url: 'http://192.0.2.1:1', version: 'unknown', capabilities: ['clock'] });
}, 20_000);
