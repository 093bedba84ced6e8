import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Stored } from './stored-before.ts';

/** A webhook for creates of a core resource as another version has stored it. Nobody listens where it is called. */
export function storedHook({ validatingWebhooks, unique }: RuleContext, resource: string, over: Json): Stored {
  const name = unique('stored');
  const metadata = { name, uid: crypto.randomUUID(), creationTimestamp: '2024-05-06T07:08:09Z', generation: 1 };
  const webhook = {
    name: `${resource}.touchstone.example`,
    clientConfig: { url: 'https://127.0.0.1:9/nobody' },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: [resource], operations: ['CREATE'], scope: '*' }],
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    sideEffects: 'None',
    timeoutSeconds: 2,
    admissionReviewVersions: ['v1'],
    ...over,
  };
  const object = {
    kind: 'ValidatingWebhookConfiguration',
    apiVersion: 'admissionregistration.k8s.io/v1',
    metadata,
    webhooks: [webhook],
  };
  return { at: validatingWebhooks.at, object };
}
