import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';
import { makeSelfSigned } from '../../x509/self-signed.ts';

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

/** Documents of OpenAPI that it has, by path. */
const documents: Record<string, unknown> = {};

/** What it does when a request asks for it by this name. */
const behaviours: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  'breaks off': (response) => response.destroy(),
  'sends elsewhere': (response) => response.writeHead(307, { location: 'https://elsewhere.example/' }).end('there'),
  'says nothing': () => {},
};

let port: number;
let backend: Server;
let server: TestServer;
beforeAll(async () => {
  backend = createServer({ ...pair, cert: pair.certificate, requestCert: true, rejectUnauthorized: false });
  backend.on('request', async (request, response) => {
    const client = (request.socket as TLSSocket).getPeerCertificate().subject?.CN;
    asked.push({ request, client: String(client), body: await bodyOf(request) });
    const behaves = behaviours[String(request.headers['x-behave'])];
    if (behaves) return behaves(response);
    response.writeHead(request.url?.includes('/missing') ? 404 : 200, { 'content-type': 'application/json' });
    const document = documents[request.url ?? ''];
    response.end(
      typeof document === 'string' ? document : JSON.stringify(document ?? { kind: 'Sample', path: request.url }),
    );
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
    await expect.poll(() => conditionOf(group)).toMatchObject({ status: 'True', reason: 'Passed' });
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
      .poll(async () => (await server.call('POST', path, { headers, body })).body)
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

  it.each<[string, string, number, RegExp]>([
    ['breaks off', 'samples', 503, /^error trying to reach service: ./],
    ['sends elsewhere', 'samples', 502, /^the server of this group/],
    ['says nothing', '', 503, /^error trying to reach service: no answer within 5000 ms\n$/],
  ])('is answered for in plain words when its server %s', async (behaviour, path, status, text) => {
    const answer = await server.get(`/apis/${group}/v1/${path}`, { 'x-behave': behaviour, 'audit-id': behaviour });
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/plain; charset=utf-8']);
    expect(answer.text).toMatch(text);
    expect(asked.some(({ request }) => request.headers['audit-id'] === behaviour)).toBe(true);
  });

  it('is not asked by who may not', async () => {
    const before = asked.length;
    const { status } = await server.get(`/apis/${group}/v1/samples`, { 'impersonate-user': 'nobody' });
    expect(status).toBe(403);
    expect(asked.slice(before).filter(({ request }) => request.url?.includes('/samples'))).toEqual([]);
  });

  it.each([
    ['/samples', 'samples'],
    ['pods/../samples', 'samples'],
    ['pods/%2e%2E/samples', 'samples'],
    ['./samples', 'samples'],
    ['pods/a%2Flog', 'the log of a'],
    ['pods/a%2F..%2f..%2fsamples', 'samples'],
    ['pods\\..\\samples', 'samples'],
    ['pods/#', 'pods'],
  ])('is not asked for %s, which others may take for %s', async (rest) => {
    const before = asked.length;
    const request = `GET /apis/${group}/v1/${rest} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${server.adminToken}\r\nImpersonate-User: nobody\r\nImpersonate-Group: system:authenticated\r\n\r\n`;
    expect(await server.send(request)).toMatch(/^HTTP\/1\.1 40[34] /);
    const asAdministrator = request.replace(/Impersonate-.*?\r\n/g, '');
    expect(await server.send(asAdministrator)).toMatch(/^HTTP\/1\.1 404 /);
    expect(asked.slice(before).filter(({ request: { url } }) => url?.endsWith(rest))).toEqual([]);
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
    await expect.poll(() => conditionOf(group)).toMatchObject({ status: 'False', reason });
    expect((await server.get('/apis')).text).toContain(group);
    expect((await server.get(`/apis/${group}/v1`)).status).toBe(503);
    expect((await server.get(`/apis/${group}/v1/samples`)).status).toBe(503);
  });
});

describe('a group that is described', () => {
  const group = 'described.example';
  const path = `/apis/${group}/v1/samples`;
  const at3 = `apis/${group}/v1`;
  const sample = 'example.described.v1.Sample';
  const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
  const reference = (name: string) => ({ $ref: `#/definitions/${name}` });
  const index = async () => (await server.get('/openapi/v3')).body.paths as Record<string, object>;

  beforeAll(() => {
    const other = { serverRelativeURL: '/openapi/v3/version?hash=OTHER' };
    const url = `/openapi/v3/${at3}?hash=1`;
    documents['/openapi/v3'] = { paths: { [at3]: { serverRelativeURL: url }, version: other, 'apis/other/v1': other } };
    documents[url] = { openapi: '3.0.0', mine: true };
    const schema = reference(sample);
    const properties = { metadata: reference(meta), time: reference('io.k8s.Time'), $ref: { type: 'string' } };
    documents['/openapi/v2'] = {
      paths: { [path]: { get: { responses: { 200: { schema } } } }, '/version/': {}, [`/apis/${group}/v10/x`]: {} },
      definitions: {
        [sample]: { type: 'object', properties },
        [meta]: { description: 'of another release', type: 'object' },
        'io.k8s.Time': { type: 'string' },
        unused: { type: 'string' },
      },
    };
  });

  it('is told of in OpenAPI 3 beside all others, and describes itself', async () => {
    await register(group, { ...service(), caBundle });
    await expect.poll(() => conditionOf(group)).toMatchObject({ status: 'True' });
    const paths = await index();
    expect(paths[at3]).toEqual({ serverRelativeURL: `/openapi/v3/${at3}?hash=1` });
    expect(Object.keys(paths)).toEqual(Object.keys(paths).toSorted());
    expect(paths['version']).not.toEqual({ serverRelativeURL: '/openapi/v3/version?hash=OTHER' });
    expect(paths).not.toHaveProperty(['apis/other/v1']);
    expect((await server.get(`/openapi/v3/${at3}?hash=1`)).body).toEqual({ openapi: '3.0.0', mine: true });
  });

  it('stands in the one document of version 2 with what it refers to, under names that nobody else has', async () => {
    const { body } = await server.get('/openapi/v2');
    expect(body.paths[path].get.responses[200].schema).toEqual(reference(sample));
    expect(body.definitions[sample].properties).toEqual({
      metadata: reference(`${meta}_v2`),
      time: reference('io.k8s.Time'),
      $ref: { type: 'string' },
    });
    expect(body.definitions[`${meta}_v2`]).toEqual({ description: 'of another release', type: 'object' });
    expect(body.definitions[meta].properties).toHaveProperty('labels');
    for (const name of ['unused', `/apis/${group}/v10/x`])
      expect([...Object.keys(body.definitions), ...Object.keys(body.paths)]).not.toContain(name);
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    expect((await server.get('/openapi/v2', { accept })).text).toContain(`${meta}_v2`);
  });

  it('is no longer told of once another group of the same server is in its place', async () => {
    const next = `/apis/next.${group}/v1/samples`;
    const told = documents['/openapi/v2'] as { paths: object };
    documents['/openapi/v2'] = { ...told, paths: { ...told.paths, [next]: {} } };
    const reregistered = async (from: string, to: string) => {
      await server.delete(`/apis/apiregistration.k8s.io/v1/apiservices/v1.${from}`);
      await register(to, { ...service(), caBundle });
      await expect.poll(() => conditionOf(to)).toMatchObject({ status: 'True' });
    };
    const paths = async () =>
      Object.keys((await server.get('/openapi/v2')).body.paths).filter((each) => [path, next].includes(each));
    await reregistered(group, group);
    await expect.poll(paths).toEqual([path]);
    await reregistered(group, `next.${group}`);
    await expect.poll(paths).toEqual([next]);
    await reregistered(`next.${group}`, group);
  });

  it('whose server tells nonsense is not told of, and all others are', async () => {
    const before = Object.keys(await index()).filter((each) => each !== at3);
    const deep = `{"paths":{"${path}":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    for (const nonsense of [
      deep,
      '{',
      'null',
      '[]',
      '{"paths":null}',
      { paths: { [at3]: { serverRelativeURL: 'http://x' } } },
    ]) {
      documents['/openapi/v3'] = documents['/openapi/v2'] = nonsense;
      // What is known of it is asked again once it has changed.
      const change = [{ op: 'replace', path: '/spec/versionPriority', value: 11 + asked.length }];
      const its = `/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`;
      expect((await server.patch(its, change, 'application/json-patch+json')).status).toBe(200);
      await expect.poll(async () => Object.keys(await index())).toEqual(before);
      const { status, body } = await server.get('/openapi/v2');
      expect([status, Object.hasOwn(body.paths, path), Object.hasOwn(body.paths, '/api/v1/pods')]).toEqual([
        200,
        false,
        true,
      ]);
    }
  });
});
