import { expect, it } from 'vitest';
import { isChosen, mayPlay } from './choice.ts';
import type { OracleKind } from './oracle-kind.ts';
import type { Scenario } from './play/scenario.ts';

const kind = (name: string, resource: string, group: string): OracleKind => ({
  ...{ group, version: 'v1', resource, kind: name, namespaced: false, verbs: [], subresources: [] },
});

const kinds = [
  kind('Node', 'nodes', ''),
  kind('ClusterRole', 'clusterroles', 'rbac.authorization.k8s.io'),
  kind('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', 'admissionregistration.k8s.io'),
];

const scenario = (method: string, path: string, more: Partial<Scenario> = {}): Scenario => ({
  ...{ name: 'some', generator: 'saved', namespaces: 1 },
  ...{ steps: [{ id: 's1', what: 'some', method, path }], ...more },
});

it.each([
  ['POST', '/api/v1/nodes', false],
  ['PATCH', '/api/v1/nodes/<own>-a/status', false],
  ['DELETE', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/<own>-a', false],
  ['GET', '/api/v1/nodes', true],
  ['POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', true],
  ['POST', '/api/v1/namespaces/<own>-1/configmaps', true],
])('lets a scenario that somebody brings %s %s without a yes to what concerns the whole cluster: %s', (...row) => {
  const [method, path, allowed] = row;
  expect(mayPlay(scenario(method, path), { clusterWide: false, kinds, hooked: false })).toBe(allowed);
  expect(mayPlay(scenario(method, path), { clusterWide: true, kinds, hooked: false })).toBe(true);
});

it('looks at what makes ready, too, and lets no webhooks be configured that nobody reaches', () => {
  const { steps } = scenario('POST', '/api/v1/nodes');
  const made = scenario('GET', '/version', { prepare: steps });
  expect(mayPlay(made, { clusterWide: false, kinds, hooked: false })).toBe(false);
  const hooked = scenario('GET', '/version', { hooks: ['one'] });
  expect(mayPlay(hooked, { clusterWide: true, kinds, hooked: false })).toBe(false);
  expect(mayPlay(hooked, { clusterWide: true, kinds, hooked: true })).toBe(true);
  expect(mayPlay(scenario('GET', '/version', { backend: true }), { clusterWide: true, kinds, hooked: false })).toBe(
    false,
  );
});

it.each([
  ['Node', 'nodes', ''],
  ['PersistentVolume', 'persistentvolumes', ''],
  ['Namespace', 'namespaces', ''],
  ['CertificateSigningRequest', 'certificatesigningrequests', 'certificates.k8s.io'],
])('leaves a %s to the controllers that act on it, where there are some', (...row) => {
  const allowed = { clusterWide: true };
  expect(isChosen(kind(...row), allowed, true)).toBe(false);
  expect(isChosen(kind(...row), allowed, false)).toBe(true);
});
