import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMaps, type TestServer } from '../test-server.fixture.ts';
import { expectSound, startSturdyServer, there } from './sturdy-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startSturdyServer();
});
afterAll(() => server.stop());

const json = fc.jsonValue({ maxDepth: 4 });
/** Objects that look a little like real ones, so that they get further than others. */
const odd = fc.oneof(json, fc.constantFrom(null, '', 0, -1, 1e308, [], {}, [null], { a: null }, 'x', true));
const almost = fc.record(
  {
    kind: fc.oneof(fc.constant('ConfigMap'), odd),
    apiVersion: fc.oneof(fc.constant('v1'), odd),
    metadata: fc.oneof(
      odd,
      fc.record(
        {
          name: fc.oneof(fc.constantFrom('there', 'fuzz'), odd),
          generateName: odd,
          namespace: odd,
          labels: odd,
          annotations: odd,
          finalizers: odd,
          ownerReferences: fc.oneof(
            odd,
            fc.array(
              fc.record({ apiVersion: odd, kind: odd, name: odd, uid: odd, controller: odd }, { requiredKeys: [] }),
            ),
          ),
          managedFields: fc.oneof(
            odd,
            fc.array(
              fc.record(
                { manager: odd, operation: odd, apiVersion: odd, time: odd, fieldsType: odd, fieldsV1: odd },
                { requiredKeys: [] },
              ),
            ),
          ),
          resourceVersion: odd,
          uid: odd,
          creationTimestamp: odd,
          deletionTimestamp: odd,
          generation: odd,
          deletionGracePeriodSeconds: odd,
        },
        { requiredKeys: [] },
      ),
    ),
    data: odd,
    binaryData: odd,
    immutable: odd,
  },
  { requiredKeys: [] },
);

describe('whatever is sent, the answer is sound', () => {
  const runs = { numRuns: 150 };

  it('to a create', async () => {
    await fc.assert(
      fc.asyncProperty(almost, async (body) => expectSound(await server.post(`${configMaps}?dryRun=All`, body))),
      runs,
    );
  });

  it('to a replacement', async () => {
    await fc.assert(
      fc.asyncProperty(almost, async (body) => expectSound(await server.put(`${there}?dryRun=All`, body))),
      runs,
    );
  });

  it.each(['application/merge-patch+json', 'application/strategic-merge-patch+json', 'application/apply-patch+yaml'])(
    'to a patch of type %s',
    async (type) => {
      const query = type.includes('apply') ? 'dryRun=All&fieldManager=fuzz&force=true' : 'dryRun=All';
      await fc.assert(
        fc.asyncProperty(fc.oneof(almost, json), async (body) =>
          expectSound(await server.patch(`${there}?${query}`, JSON.stringify(body), type)),
        ),
        runs,
      );
    },
  );

  it('to a JSON patch', async () => {
    const pointer = fc.oneof(
      fc.constantFrom(
        '',
        '/',
        '/metadata',
        '/metadata/name',
        '/data/a',
        '/data/-',
        '/metadata/finalizers/0',
        '/metadata/finalizers/-',
        '/metadata/finalizers/99999999999',
        '/~',
        '/~2',
        '/__proto__/x',
        '/kind',
      ),
      fc.string(),
      odd,
    );
    const operation = fc.record(
      {
        op: fc.oneof(fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'), odd),
        path: pointer,
        from: pointer,
        value: odd,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.array(operation, { maxLength: 6 }), odd), async (patch) =>
        expectSound(await server.patch(`${there}?dryRun=All`, JSON.stringify(patch), 'application/json-patch+json')),
      ),
      runs,
    );
  });

  it('to bytes of any type', async () => {
    const type = fc.constantFrom('application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf');
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }).map((rest) => Buffer.concat([Buffer.from('k8s\0'), rest])),
      fc.string({ unit: fc.constantFrom(...'{}[]",:&*!|>%@`#-? \n\tab1\\\'<~') }).map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(type, bytes, async (mediaType, body) =>
        expectSound(await server.post(`${configMaps}?dryRun=All`, Buffer.from(body), mediaType)),
      ),
      { numRuns: 300 },
    );
  });

  it('to options of a delete', async () => {
    const options = fc.record(
      {
        kind: fc.oneof(fc.constant('DeleteOptions'), odd),
        apiVersion: odd,
        gracePeriodSeconds: odd,
        propagationPolicy: fc.oneof(fc.constantFrom('Orphan', 'Foreground', 'Background'), odd),
        orphanDependents: odd,
        preconditions: fc.oneof(odd, fc.record({ uid: odd, resourceVersion: odd })),
        dryRun: fc.oneof(fc.constant(['All']), odd),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(options, odd), async (body) => expectSound(await server.delete(there, body))),
      runs,
    );
  });

  it('to any query', async () => {
    const name = fc.oneof(
      fc.constantFrom(
        'limit',
        'continue',
        'labelSelector',
        'fieldSelector',
        'resourceVersion',
        'resourceVersionMatch',
        'timeoutSeconds',
        'pretty',
        'includeObject',
        'dryRun',
        'fieldManager',
        'fieldValidation',
        'force',
        'gracePeriodSeconds',
      ),
      fc.string(),
    );
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('', '0', '-1', '1e9', 'NaN', '9'.repeat(30), '%', '%ff', 'true', 'All', 'Exact', 'NotOlderThan'),
    );
    const query = fc.array(fc.tuple(name, value, fc.boolean()), { maxLength: 6 }).map((pairs) =>
      pairs
        .map(([key, text, raw]) =>
          raw ? `${encodeURI(key)}=${encodeURI(text)}` : `${encodeURIComponent(key)}=${encodeURIComponent(text)}`,
        )
        .join('&')
        .replaceAll('#', '%23'),
    );
    const accept = fc.constantFrom(
      'application/json',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      '*/*',
      'application/yaml',
      'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    );
    await fc.assert(
      fc.asyncProperty(query, accept, fc.boolean(), async (text, form, item) => {
        // A version from the future is waited for, which is right but slow.
        fc.pre(!/resourceVersion=(%20|\+)*[1-9]\d+/.test(text));
        const answer = await server.get(`${item ? there : configMaps}?${text}`, { accept: form });
        expect(answer.status, answer.text.slice(0, 200)).not.toBe(500);
      }),
      { numRuns: 300 },
    );
  });

  it('to any path', async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'api',
        'apis',
        'v1',
        'apps',
        'batch',
        'namespaces',
        'default',
        'pods',
        'configmaps',
        'there',
        'status',
        'watch',
        'scale',
        'log',
        'proxy',
        'openapi',
        'v2',
        'v3',
        'healthz',
        'livez',
        '..',
        '.',
        '',
        '%2e%2e',
        '%2F',
        '%00',
        '%',
        '%zz',
        '__proto__',
        'constructor',
      ),
      fc.string().map(encodeURIComponent),
    );
    const method = fc.constantFrom('GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT', 'POST', 'PATCH');
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 8 }), method, async (segments, verb) => {
        const path = `/${segments.join('/')}`;
        const { status, text } = await server.call(verb, `${path}?dryRun=All&timeoutSeconds=1`);
        expect(status, `${verb} ${path} ${text.slice(0, 300)}`).not.toBe(500);
      }),
      { numRuns: 400 },
    );
  });
});
