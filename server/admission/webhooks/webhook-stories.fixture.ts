import { afterAll, afterEach, beforeEach } from 'vitest';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';
import { bundle, certificates, pemOf, startTestWebhook, type TestWebhook } from './webhook-server.fixture.ts';

/** The server under test, as an administrator sees it. */
interface ApiServer {
  post(path: string, body: unknown): Promise<{ readonly status: number; readonly text: string }>;
  delete(path: string): Promise<unknown>;
}

type Kind = 'mutating' | 'validating';

const path = (kind: Kind) => `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`;

export const configMaps = '/api/v1/namespaces/default/configmaps';

/** One entry of a configuration: for ConfigMaps, called at the test webhook, until told otherwise. */
export async function hook(webhook: Pick<TestWebhook, 'url'>, more: object = {}): Promise<object> {
  const { authority } = await certificates();
  return {
    name: 'one.example.com',
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: webhook.url, caBundle: bundle(pemOf(authority)) },
    ...more,
  };
}

/** Makes a configuration, and gives the call that takes it away again. */
export async function install(
  server: ApiServer,
  kind: Kind,
  hooks: readonly object[],
  name = 'story',
): Promise<() => Promise<void>> {
  const answer = await server.post(path(kind), { metadata: { name }, webhooks: hooks });
  if (answer.status !== 201) throw new Error(`configuration refused: ${answer.text}`);
  return async () => {
    await server.delete(`${path(kind)}/${name}`);
  };
}

/** A ConfigMap. */
export const map = (name: string, data?: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...(data && { data }),
});

/** What the stories of one file play with. */
interface Scene {
  readonly server: TestServer;
  /** Agrees to everything and has received nothing when a test begins. */
  readonly webhook: TestWebhook;
  /** What is to end with the test. */
  readonly ends: (() => unknown)[];
  endAll(): Promise<void>;
}

/** A server and a webhook for all tests of a file. */
export async function startScene(): Promise<Scene> {
  const [server, webhook] = await Promise.all([startTestServer(), startTestWebhook()]);
  const ends: (() => unknown)[] = [];
  const endAll = async () => {
    for (const end of ends.splice(0)) await end();
  };
  beforeEach(() => calm(webhook));
  afterEach(endAll);
  afterAll(async () => {
    await webhook.close();
    await server.stop();
  });
  return { server, webhook, ends, endAll };
}

/** Has a webhook agree to everything, and forget what it received. */
export function calm(webhook: TestWebhook): void {
  webhook.received.length = 0;
  webhook.respond = () => ({});
}
