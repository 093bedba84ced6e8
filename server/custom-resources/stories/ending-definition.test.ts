import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { startTestWebhook, type TestWebhook } from '../../admission/webhooks/webhook-server.fixture.ts';
import { hook, install } from '../../admission/webhooks/webhook-stories.fixture.ts';
import { EtcdProcess, withoutEtcd } from '../../store/etcd/etcd-process.fixture.ts';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';
import { things } from '../definition/definition.fixture.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definition = `${definitions}/things.example.com`;
const objects = '/apis/example.com/v1/namespaces/default/things';
const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'late' } };
const schema = { openAPIV3Schema: { type: 'object' } };

let etcd: EtcdProcess | undefined;
const folder = temporaryFolder();
beforeAll(async () => {
  if (!withoutEtcd) etcd = await EtcdProcess.start();
});
afterAll(() => etcd?.stop());

const define = async (server: TestServer) => {
  expect((await server.post(definitions, things({ schema }))).status).toBe(201);
  await expect.poll(async () => (await server.get(objects)).status).toBe(200);
};

/** Holds what is created up until it is told to let it go. */
async function holding(server: TestServer): Promise<{ readonly webhook: TestWebhook; letGo(): void }> {
  const { promise, resolve } = Promise.withResolvers<object>();
  const webhook = await startTestWebhook(() => promise);
  onTestFinished(() => webhook.close());
  const rules = [{ operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things'] }];
  await install(server, 'validating', [await hook(webhook, { rules })]);
  return { webhook, letGo: () => resolve({}) };
}

const engines: [string, () => Parameters<typeof startTestServer>[0]][] = [
  ['in memory', () => ({})],
  ['in a folder', () => ({ dataDir: folder })],
  ['in etcd', () => ({ etcdServers: [etcd?.url ?? ''] })],
];

describe.each(engines)('a definition that goes, %s', (name, options) => {
  it.skipIf(name === 'in etcd' && withoutEtcd).each([
    ['created', (server: TestServer) => server.post(objects, thing)],
    [
      'applied',
      (server: TestServer) => server.patch(`${objects}/late?fieldManager=m`, thing, 'application/apply-patch+yaml'),
    ],
  ])('leaves no object behind that was on its way when it went: %s', async (_how, make) => {
    const server = await startTestServer(options());
    onTestFinished(() => server.stop());
    await define(server);
    const { webhook, letGo } = await holding(server);
    const answer = make(server);
    await expect.poll(() => webhook.received.length).toBeGreaterThan(0);
    await server.delete(definition);
    await expect.poll(async () => (await server.get(definition)).status).toBe(404);
    letGo();
    expect((await answer).status).toBe(404);
    await define(server);
    expect((await server.get(objects)).body.items).toEqual([]);
    await server.delete(definition);
    await expect.poll(async () => (await server.get(definition)).status).toBe(404);
    await server.delete('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/story');
  });
});
