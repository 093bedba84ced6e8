import { expect, test } from 'vitest';
import { configurations, type Reach } from './install.ts';
import { policies } from './policies/index.ts';

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
