import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './test-server.fixture.ts';
import { makeSelfSigned } from './x509/self-signed.ts';

/** Another server serves groups behind this one, as APIServices say. */

const hour = 3_600_000;
const pair = makeSelfSigned(['metrics.tools.svc'], new Date(Date.now() - hour), new Date(Date.now() + hour));
const caBundle = Buffer.from(pair.certificate).toString('base64');
const asked: { readonly request: IncomingMessage; readonly client: string; readonly body: string }[] = [];

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

let port: number;
let backend: Server;
let server: TestServer;
beforeAll(async () => {
  backend = createServer({ ...pair, cert: pair.certificate, requestCert: true, rejectUnauthorized: false });
  backend.on('request', async (request, response) => {
    const client = (request.socket as TLSSocket).getPeerCertificate().subject?.CN;
    asked.push({ request, client: String(client), body: await bodyOf(request) });
    response.writeHead(request.url?.includes('/missing') ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Sample', path: request.url }));
  });
  await new Promise<void>((resolve) => backend.listen(0, 'localhost', resolve));
  ({ port } = backend.address() as AddressInfo);
  server = await startTestServer({ controllers: ['namespace'] });
  await server.post('/api/v1/namespaces', { metadata: { name: 'tools' } });
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  await server.post('/api/v1/namespaces/tools/services', { metadata: { name: 'metrics' }, spec });
});
afterAll(async () => {
  await server.stop();
  backend.close();
});

const register = (group: string, more: object) =>
  server.post('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: `v1.${group}` },
    spec: { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, ...more },
  });
const conditionOf = async (group: string) =>
  (await server.get(`/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`)).body.status?.conditions?.[0];
const service = () => ({ service: { namespace: 'tools', name: 'metrics', port } });

describe('a group that answers', () => {
  const group = 'metrics.example';
  it('is available', async () => {
    await register(group, { ...service(), caBundle });
    await expect
      .poll(() => conditionOf(group), { timeout: 10_000 })
      .toMatchObject({ status: 'True', reason: 'Passed' });
  });

  it('is told of beside all others', async () => {
    const { body } = await server.get('/apis');
    const version = { groupVersion: `${group}/v1`, version: 'v1' };
    expect(body.groups).toContainEqual({ name: group, versions: [version], preferredVersion: version });
    expect((await server.get(`/apis/${group}`)).body).toMatchObject({ kind: 'APIGroup', versions: [version] });
    expect((await server.get('/')).body.paths).toEqual(expect.arrayContaining([`/apis/${group}`, `/apis/${group}/v1`]));
    expect((await server.get(`/apis/${group}/v2`)).status).toBe(404);
  });

  it('is asked as it was asked here, for whom it was asked, by whom it can know', async () => {
    const path = `/apis/${group}/v1/namespaces/a/samples?labelSelector=a%3Db`;
    const headers = {
      'impersonate-user': Buffer.from('jané').toString('latin1'),
      'impersonate-group': 'g1',
      'impersonate-extra-a%2fb': 'x',
      'x-remote-user': 'system:admin',
      'x-remote-extra-scopes': 'all',
    };
    await server.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'g1' },
      subjects: [{ kind: 'Group', name: 'g1', apiGroup: 'rbac.authorization.k8s.io' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    });
    const body = { some: 'thing' };
    await expect
      .poll(async () => (await server.call('POST', path, { headers, body })).body, { timeout: 5000 })
      .toEqual({ kind: 'Sample', path });
    const last = asked.at(-1);
    expect(JSON.parse(last?.body ?? '')).toEqual(body);
    expect(last?.client).toBe('front-proxy-client');
    expect(last?.request.headers).toMatchObject({ host: 'metrics.tools.svc', 'x-remote-extra-a%2fb': 'x' });
    expect(Buffer.from(String(last?.request.headers['x-remote-user']), 'latin1').toString()).toBe('jané');
    expect(last?.request.headersDistinct['x-remote-group']).toEqual(['g1', 'system:authenticated']);
    expect(last?.request.headers).not.toHaveProperty('x-remote-extra-scopes');
    expect(last?.request.headers).not.toHaveProperty('authorization');
    expect((await server.get(`/apis/${group}/v1/missing`)).status).toBe(404);
  });

  it('is not asked by who may not', async () => {
    const before = asked.length;
    const { status } = await server.get(`/apis/${group}/v1/samples`, { 'impersonate-user': 'nobody' });
    expect(status).toBe(403);
    expect(asked.slice(before).filter(({ request }) => request.url?.includes('/samples'))).toEqual([]);
  });

  it('knows this server by what is published', async () => {
    const { body } = await server.get('/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication');
    expect(body.data).toMatchObject({
      'requestheader-allowed-names': '["front-proxy-client"]',
      'requestheader-username-headers': '["X-Remote-User"]',
      'requestheader-client-ca-file': expect.stringContaining('BEGIN CERTIFICATE'),
    });
  });

  it('ends with its APIService', async () => {
    await server.delete(`/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`);
    await expect.poll(async () => (await server.get(`/apis/${group}/v1`)).status).toBe(404);
    expect((await server.get('/apis')).text).not.toContain(group);
  });
});

describe('a group of which nobody answers', () => {
  it.each<[string, string, () => object]>([
    ['there is no service', 'ServiceNotFound', () => ({ service: { namespace: 'tools', name: 'none' } })],
    ['nobody listens', 'FailedDiscoveryCheck', () => ({ service: { ...service().service, port: 1 } })],
    ['it is not trusted', 'FailedDiscoveryCheck', service],
    ['its authority is none', 'FailedDiscoveryCheck', () => ({ ...service(), caBundle: 'AAAA' })],
  ])('as %s is told of, and that it is not available', async (what, reason, more) => {
    const group = `${what.replaceAll(' ', '-')}.example`;
    expect((await register(group, more())).status).toBe(201);
    await expect.poll(() => conditionOf(group), { timeout: 10_000 }).toMatchObject({ status: 'False', reason });
    expect((await server.get('/apis')).text).toContain(group);
    expect((await server.get(`/apis/${group}/v1`)).status).toBe(503);
    expect((await server.get(`/apis/${group}/v1/samples`)).status).toBe(503);
  });
});
