import { expect, test } from 'vitest';
import { configurations, type Reach } from './install.ts';
import { policies } from './policies/index.ts';
import type { Policy } from './policy.ts';

/** The namespaces of which no policy is asked. */
const spared = (at: Reach['at']) =>
  configurations(policies, { at, authority: 'PEM' })
    .flatMap(({ webhooks }) => webhooks)
    .map((webhook) => (webhook as { namespaceSelector: { matchExpressions: object[] } }).namespaceSelector);

const notIn = (...values: string[]) => ({
  matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values }],
});

test('policies are not asked about the parts of the cluster itself, nor about those that answer for them', () => {
  expect(spared('https://127.0.0.1:8443')).toEqual(policies.map(() => notIn('kube-system')));
  const service = { namespace: 'policies', name: 'hooks', port: 443 };
  expect(spared(service)).toEqual(policies.map(() => notIn('kube-system', 'policies')));
  expect(spared({ ...service, namespace: 'kube-system' })).toEqual(policies.map(() => notIn('kube-system')));
});

const policy: Policy = {
  name: 'p',
  type: 'validating',
  about: '',
  rules: [],
  failurePolicy: 'Ignore',
  decide: () => ({ allowed: true }),
};
const objectSelector = { matchExpressions: [{ key: 'owner', operator: 'Exists' as const }] };

test('API servers are told all that a policy says of itself: where it is, whom it wants to see, what becomes of failures', () => {
  const service = { namespace: 'policies', name: 'hooks', port: 443 };
  const reach = { at: service, authority: 'PEM' };
  const [mutating, validating] = configurations(
    [
      { ...policy, type: 'mutating' },
      { ...policy, objectSelector },
    ],
    reach,
  );
  const clientConfig = {
    service: { ...service, path: '/policies/p' },
    caBundle: Buffer.from('PEM').toString('base64'),
  };
  const told = { name: 'p.webhooks.touchstone.example', failurePolicy: 'Ignore', sideEffects: 'None', clientConfig };
  expect(mutating).toMatchObject({
    kind: 'MutatingWebhookConfiguration',
    // What others change afterwards may be what it is about.
    webhooks: [{ ...told, reinvocationPolicy: 'IfNeeded' }],
  });
  expect(validating).toMatchObject({
    kind: 'ValidatingWebhookConfiguration',
    webhooks: [{ ...told, objectSelector }],
  });
  expect(validating?.webhooks[0]).not.toHaveProperty('reinvocationPolicy');
  expect(mutating?.webhooks[0]).not.toHaveProperty('objectSelector');
});
