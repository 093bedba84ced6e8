import { AdmissionregistrationV1Api, ApiextensionsV1Api, CustomObjectsApi } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../free-port.ts';
import { bundle, certificates, keyOf, pemOf } from '../../../server/admission/webhooks/webhook-server.fixture.ts';
import { eventually } from '../../testing/lab.fixture.ts';
import { namespace, type ProcessNode, startProcessNode } from './process-node.fixture.ts';

const service = { namespace, name: 'hook' };
const group = 'shop.example.com';

/** Answers reviews: no object may be named "bad", and another version has another `told`. */
const script = `
const answer = ({ apiVersion, kind, request }) => ({ apiVersion, kind, response: kind === 'AdmissionReview'
  ? { uid: request.uid, allowed: request.name !== 'bad', status: { message: 'no ' + request.name } }
  : { uid: request.uid, result: { status: 'Success' }, convertedObjects: request.objects.map((each) =>
      ({ ...each, apiVersion: request.desiredAPIVersion, told: request.desiredAPIVersion })) } });
const { CERT: cert, KEY: key, PORT } = process.env;
require('https').createServer({ cert, key }, async (request, response) => {
  const chunks = await request.toArray();
  response.end(JSON.stringify(answer(JSON.parse(Buffer.concat(chunks)))));
}).listen(Number(PORT), '127.0.0.1');
`;

let node: ProcessNode;
let caBundle: string;

beforeAll(async () => {
  node = await startProcessNode();
  const { authority, server } = await certificates();
  caBundle = bundle(pemOf(authority));
  await startHook({ CERT: pemOf(server), KEY: keyOf(server) });
});
afterAll(() => node.server.stop());

/** A pod that answers, and a Service that leads to it. */
async function startHook(own: Record<string, string>) {
  const port = await freePort();
  const env = Object.entries({ ...own, PORT: `${port}` }).map(([name, value]) => ({ name, value }));
  const container = { name: 'c', image: 'node', args: ['-e', script], env };
  const probed = { ...container, readinessProbe: { tcpSocket: { port }, periodSeconds: 1 } };
  const body = { metadata: { name: 'hook', labels: { app: 'hook' } }, spec: { containers: [probed] } };
  await node.api.createNamespacedPod({ namespace, body });
  const ports = [{ port: 443, targetPort: port }];
  const spec = { selector: { app: 'hook' }, ports };
  await node.api.createNamespacedService({ namespace, body: { metadata: { name: 'hook' }, spec } });
  await eventually(async () => {
    const { subsets } = await node.api.readNamespacedEndpoints({ namespace, name: 'hook' });
    return subsets?.[0]?.addresses?.length;
  });
}

test('an admission webhook that runs in a pod is asked', async () => {
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  const clientConfig = { service, caBundle };
  const webhook = { name: 'one.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None' };
  await node.config.makeApiClient(AdmissionregistrationV1Api).createValidatingWebhookConfiguration({
    body: { metadata: { name: 'hook' }, webhooks: [{ ...webhook, clientConfig, rules }] },
  });
  const make = (name: string) => node.api.createNamespacedConfigMap({ namespace, body: { metadata: { name } } });
  await expect(make('bad')).rejects.toThrow('denied the request: no bad');
  expect((await make('good')).metadata?.name).toBe('good');
});

test('a conversion webhook that runs in a pod is asked', async () => {
  const version = (name: string, storage: boolean) => {
    const told = { type: 'string' };
    return { name, storage, served: true, schema: { openAPIV3Schema: { type: 'object', properties: { told } } } };
  };
  const webhook = { conversionReviewVersions: ['v1'], clientConfig: { service, caBundle } };
  const names = { kind: 'Duck', plural: 'ducks' };
  const spec = { group, names, scope: 'Cluster', versions: [version('v1', true), version('v2', false)] };
  const body = {
    metadata: { name: `ducks.${group}` },
    spec: { ...spec, conversion: { strategy: 'Webhook', webhook } },
  };
  await node.config.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({ body });
  const ducks = node.config.makeApiClient(CustomObjectsApi);
  const duck = { apiVersion: `${group}/v1`, kind: 'Duck', metadata: { name: 'd' } };
  const at = { group, plural: 'ducks' };
  await eventually(() => ducks.createClusterCustomObject({ ...at, version: 'v1', body: duck }).catch(() => undefined));
  expect(await ducks.getClusterCustomObject({ ...at, version: 'v2', name: 'd' })).toMatchObject({
    told: `${group}/v2`,
  });
});
