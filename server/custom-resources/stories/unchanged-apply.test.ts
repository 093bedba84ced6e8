import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';

const schemaWith = (properties: object) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
});
const text = { type: 'string' };
const path = '/apis/example.com/v1beta1/namespaces/default/things';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: schemaWith({ a: text }) },
        // What it fills in has no place in what is stored.
        {
          name: 'v1beta1',
          served: true,
          storage: false,
          schema: schemaWith({ a: text, early: { ...text, default: 'x' } }),
        },
      ],
    },
  });
  await server.settle();
  expect((await server.post(path, { ...head, spec: { a: '1' } })).status).toBe(201);
});
afterAll(() => server.stop());

const head = { apiVersion: 'example.com/v1beta1', kind: 'Thing', metadata: { name: 'one' } };
const generationOf = async (spec: object | null) =>
  (
    await server.patch(
      `${path}/one?dryRun=All&fieldManager=m&force=true`,
      { ...head, spec },
      'application/apply-patch+yaml',
    )
  ).body.metadata.generation;

/** A webhook that nobody listens for: whoever asked it would be refused. */
const webhookFor = (selected: string) => ({
  metadata: { name: 'wide' },
  webhooks: [
    {
      name: 'wide.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] }],
      objectSelector: { matchLabels: { selected } },
    },
  ],
});

it('what is applied and changes nothing is no new generation, whoever cares about such objects', async () => {
  expect([await generationOf({ a: '1' }), await generationOf(null), await generationOf({ a: '2' })]).toEqual([1, 1, 2]);
  const made = await server.post(
    '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    webhookFor('others'),
  );
  expect(made.status).toBe(201);
  await server.settle();
  expect([await generationOf({ a: '1' }), await generationOf(null), await generationOf({ a: '2' })]).toEqual([1, 1, 2]);
});
