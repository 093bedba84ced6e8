import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFailure, startTestServer, type TestServer } from './test-server.fixture.ts';

/** What only a whole server can show of pods. */

const pods = '/api/v1/namespaces/default/pods';
const pod = (name: string, container: object = {}) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', ...container }] },
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ allowPrivileged: false, disableAdmissionPlugins: ['ServiceAccount'] });
});
afterAll(() => server.stop());

it('a server that allows no privileged containers refuses them', async () => {
  const { status, body } = await server.post(pods, pod('mighty', { securityContext: { privileged: true } }));
  expect(status).toBe(422);
  expect(body.details.causes).toEqual([
    {
      reason: 'FieldValueForbidden',
      message: 'Forbidden: disallowed by cluster policy',
      field: 'spec.containers[0].securityContext.privileged',
    },
  ]);
  expect((await server.post(pods, pod('modest'))).status).toBe(201);
});

it('a pod without node has written nothing', async () => {
  await server.post(pods, pod('quiet'));
  const { status, headers } = await server.get(`${pods}/quiet/log`);
  expect(status).toBe(204);
  expect(headers['content-type']).toBeUndefined();
});

it.each(['', '?x=1&y=%2F'])('a proxied node is found behind a slash (query %j)', async (query) => {
  const addresses = [{ type: 'InternalIP', address: '10.0.0.9' }];
  await server.post('/api/v1/nodes', {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name: 'm' },
    status: { addresses },
  });
  const at = '/api/v1/nodes/m/proxy';
  const { status, headers } = await server.get(`${at}${query}`);
  expect([status, headers['location']]).toEqual([301, `${at}/${query}`]);
  expect((await server.get(`${at}/${query}`)).status).toBe(500);
});

describe('an eviction', () => {
  it.each(['policy/v1', 'policy/v1beta1', undefined])('may come as %s', async (apiVersion) => {
    await server.post(pods, pod('leaves'));
    const eviction = { kind: 'Eviction', apiVersion, metadata: { name: 'leaves' } };
    const { status, body } = await server.post(`${pods}/leaves/eviction`, eviction);
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'Status', status: 'Success' });
    expect((await server.get(`${pods}/leaves`)).status).toBe(404);
  });

  it.each([
    ['policy/v2', 'Eviction'],
    ['v1', 'Eviction'],
    ['policy/v1beta1', 'PodDisruptionBudget'],
    ['__proto__', 'Eviction'],
  ])('may not come as %s %s', async (apiVersion, kind) => {
    const { status, body } = await server.post(`${pods}/leaves/eviction`, { kind, apiVersion, metadata: {} });
    expect(status).toBe(400);
    expect(isFailure(body, 400)).toBe(true);
  });
});
