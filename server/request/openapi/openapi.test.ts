import protobuf from 'protobufjs/minimal.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

type Members = { readonly [key: string]: unknown };

/** Every `$ref` in a document. */
function references(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string') found.add(member);
    else references(member, found);
  }
  return found;
}

interface Path {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

/** A path takes what stands in its braces, each once, and nothing twice at one place. */
function expectFilled(paths: Readonly<Record<string, Path>>): void {
  for (const [path, item] of Object.entries(paths)) {
    const common = item.parameters ?? [];
    for (const [method, { parameters: own = [] }] of Object.entries(item as Readonly<Record<string, Path>>)) {
      const all = [...common, ...(method === 'parameters' ? [] : own)].map((each) => `${each.in} ${each.name}`);
      expect(new Set(all).size, `${method} ${path}`).toBe(all.length);
      const filled = all.filter((each) => each.startsWith('path ')).sort();
      const names = (path.match(/(?<=\{)[^}]+/g) ?? []).map((name) => `path ${name}`);
      expect(filled, `${method} ${path}`).toEqual(names.sort());
    }
  }
}

describe('OpenAPI v2', () => {
  it('names what a path is filled with', async () => {
    expectFilled((await server.get('/openapi/v2')).body.paths);
  });

  it('refers to nothing that it does not define', async () => {
    const { body, headers } = await server.get('/openapi/v2');
    expect(body).toMatchObject({ swagger: '2.0', info: { title: 'Kubernetes' } });
    expect(headers['etag']).toMatch(/^"[0-9A-F]+"$/);
    for (const reference of references(body)) {
      expect(Object.hasOwn(body.definitions, reference.replace('#/definitions/', '')), reference).toBe(true);
    }
  });

  it('describes what every path takes and answers', async () => {
    const { body } = await server.get('/openapi/v2');
    const item = body.paths['/api/v1/namespaces/{namespace}/pods/{name}'];
    expect(Object.keys(item).sort()).toEqual(['delete', 'get', 'parameters', 'patch', 'put']);
    expect(item.get['x-kubernetes-group-version-kind']).toEqual({ group: '', version: 'v1', kind: 'Pod' });
    const ids = Object.values(body.paths as Record<string, Members>).flatMap((path) =>
      Object.values(path).flatMap((each) => (each as { operationId?: string }).operationId ?? []),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has a protobuf form for older clients, with as many paths and definitions', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const response = await fetchBytes('/openapi/v2', accept);
    const { body } = await server.get('/openapi/v2');
    expect(countFields(response, 8)).toBe(Object.keys(body.paths).length);
    expect(countFields(response, 9)).toBe(Object.keys(body.definitions).length);
  });

  /** Entries of the map at a field of the document. */
  function countFields(bytes: Buffer, wanted: number): number {
    const reader = protobuf.Reader.create(bytes);
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag >>> 3 !== wanted) {
        reader.skipType(tag & 7);
        continue;
      }
      const inner = protobuf.Reader.create(reader.bytes());
      let count = 0;
      for (; inner.pos < inner.len; count++) inner.skipType(inner.uint32() & 7);
      return count;
    }
    return 0;
  }
});

async function fetchBytes(path: string, accept: string): Promise<Buffer> {
  const text = await server.send(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.adminToken}\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`,
  );
  const split = text.indexOf('\r\n\r\n');
  expect(text.slice(0, split)).toContain('200 OK');
  return Buffer.from(text.slice(split + 4), 'latin1');
}

describe('OpenAPI v3', () => {
  it('has one document for each group and version, which holds all that it refers to', async () => {
    const index = (await server.get('/openapi/v3')).body.paths as Record<string, { serverRelativeURL: string }>;
    const some = ['api', 'api/v1', 'apis', 'apis/apps', 'apis/apps/v1', 'logs', 'openid/v1/jwks', 'version'];
    expect(Object.keys(index)).toEqual(expect.arrayContaining(some));
    for (const { serverRelativeURL } of Object.values(index)) {
      const { status, body } = await server.get(serverRelativeURL);
      expect(status).toBe(200);
      expect(body.openapi).toBe('3.0.0');
      expect(body.info.title).toBe('Kubernetes');
      expectFilled(body.paths);
      for (const reference of references(body)) {
        expect(Object.hasOwn(body.components.schemas, reference.replace('#/components/schemas/', '')), reference).toBe(
          true,
        );
      }
    }
  });

  it('knows nothing of groups that are not served', async () => {
    for (const path of [
      'apis/none/v1',
      'api/v2',
      '',
      '__proto__',
      'apis/apps/v1/x',
      'apis/apiregistration.k8s.io/v1',
    ]) {
      expect((await server.get(`/openapi/v3/${path}`)).status, path).toBe(404);
    }
  });

  it('is not sent again to who has it, and for ever the same by its hash', async () => {
    for (const path of ['/openapi/v2', '/openapi/v3/apis/apps/v1']) {
      const { headers, text } = await server.get(path);
      const known = { 'if-none-match': `"other", W/${headers['etag']}` };
      const again = await server.get(path, known);
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']]);
      expect(again.headers).not.toHaveProperty('content-length');
      expect((await server.get(path, { 'if-none-match': '"other"' })).text).toBe(text);
      expect((await server.call('POST', path, { headers: known })).status).toBe(200);
    }
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const { etag } = (await server.get('/openapi/v2', { accept })).headers;
    expect((await server.get('/openapi/v2', { accept, 'if-none-match': String(etag) })).status).toBe(304);
    const { serverRelativeURL } = (await server.get('/openapi/v3')).body.paths['apis/apps/v1'];
    const named = await server.get(serverRelativeURL);
    expect(named.headers).toMatchObject({ 'cache-control': 'public, immutable', expires: expect.any(String) });
    const old = await server.get('/openapi/v3/apis/apps/v1?hash=OLD');
    expect([old.status, old.headers['location']]).toEqual([301, serverRelativeURL]);
  });

  it('changes its hash when a custom resource comes', async () => {
    const before = (await server.get('/openapi/v2')).headers['etag'];
    const definition = {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing', listKind: 'Things' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    const made = await server.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    expect(made.status).toBe(201);
    await expect.poll(async () => (await server.get('/openapi/v3/apis/example.com/v1')).status).toBe(200);
    const { body: own } = await server.get('/openapi/v3/apis/example.com/v1');
    expect(own.info).toEqual({ title: 'Kubernetes CRD Swagger', version: 'v0.1.0' });
    expect(own.components).not.toHaveProperty('securitySchemes');
    expect(Object.keys(own.components.schemas)).toEqual(
      expect.arrayContaining(['com.example.v1.Thing', 'com.example.v1.Things']),
    );
    const after = await server.get('/openapi/v2');
    expect(after.headers['etag']).not.toBe(before);
    expect(after.body.definitions).toHaveProperty(['com.example.v1.Thing']);
    expect(after.body.paths).toHaveProperty(['/apis/example.com/v1/namespaces/{namespace}/things/{name}']);
  });
});
