import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bundle,
  certificates,
  pemOf,
  type SentReview,
  startTestWebhook,
  type TestWebhook,
} from '../admission/webhooks/webhook-server.fixture.ts';
import { startTestServer, type TestServer } from '../stories/test-server.fixture.ts';

const path = (version: string) => `/apis/shop.example.com/${version}/namespaces/default/ducks`;
const version = (name: string) => ({
  ...{ name, served: true, storage: name === 'v1' },
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
});

let server: TestServer;
let webhook: TestWebhook;
/** What the webhook writes into each object. */
let says: string | undefined;

const converted = ({ request: { objects, desiredAPIVersion } }: SentReview) => ({
  result: { status: says === undefined ? 'Failure' : 'Success', message: 'not now' },
  convertedObjects: (objects as object[]).map((object) => ({ ...object, apiVersion: desiredAPIVersion, says })),
});

beforeAll(async () => {
  [server, webhook] = await Promise.all([startTestServer(), startTestWebhook(converted)]);
  const clientConfig = { url: webhook.url, caBundle: bundle(pemOf((await certificates()).authority)) };
  const names = { plural: 'ducks', kind: 'Duck', listKind: 'DuckList' };
  const conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } };
  const spec = {
    group: 'shop.example.com',
    scope: 'Namespaced',
    names,
    versions: ['v1', 'v2'].map(version),
    conversion,
  };
  await server.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'ducks.shop.example.com' },
    spec,
  });
  await server.settle();
  await server.post(path('v1'), { apiVersion: 'shop.example.com/v1', kind: 'Duck', metadata: { name: 'one' } });
});
afterAll(() => Promise.all([server.stop(), webhook.close()]));

describe('what a webhook converts', () => {
  const said = {
    get: async (query = '') => (await server.get(`${path('v2')}/one${query}`)).body.says,
    list: async (query = '') => (await server.get(`${path('v2')}${query}`)).body.items?.[0].says,
  };

  it.each(['get', 'list'] as const)('is converted as the webhook does it now: %s', async (verb) => {
    says = 'wrong';
    expect(await said[verb]()).toBe('wrong');
    says = 'right';
    expect(await said[verb]()).toBe('right');
  });

  it('is as it was converted last for those who take any state, also after the webhook failed', async () => {
    says = 'before';
    await said.get();
    says = undefined;
    expect((await server.get(`${path('v2')}/one`)).status).toBe(500);
    expect(await said.get('?resourceVersion=0')).toBe('before');
    expect(await said.list('?resourceVersion=0')).toBe('before');
  });

  it('is not asked for in the version in which it is stored', async () => {
    const { length } = webhook.received;
    await server.get(`${path('v1')}/one`);
    await server.get(path('v1'));
    expect(webhook.received).toHaveLength(length);
  });
});
