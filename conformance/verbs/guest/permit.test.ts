import { expect, test } from 'vitest';
import { allOf, type Intent, type Permit, refusalOf } from './permit.ts';

const guest: Permit = { run: 'r1', write: true, cluster: false, disruptive: false };
const owns = (namespace: string): boolean => namespace === 'ours';
const intent = (method: string, path: string, parts: Partial<Intent> = {}): Intent => ({
  method,
  path,
  query: undefined,
  body: {},
  ...parts,
});

const csr = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

test.each([
  ['nodes', intent('POST', '/api/v1/nodes')],
  ['nodes', intent('PATCH', '/api/v1/nodes/n1/status')],
  ['persistentvolumes', intent('DELETE', '/api/v1/persistentvolumes/v1')],
  ['the approval of a signing request', intent('PUT', `${csr}/one/approval`)],
  ['a bootstrap token', intent('POST', '/api/v1/namespaces/kube-system/secrets')],
  ['webhooks', intent('POST', hooks)],
])('on a cluster of others %s need a yes', (what, one) => {
  expect(refusalOf(one, guest, owns)).toBe(`it would touch ${what}, a thing of the whole cluster; --yes allows that`);
  expect(refusalOf({ ...one, method: 'GET' }, guest, owns)).toBeUndefined();
  expect(refusalOf({ ...one, query: { dryRun: 'All' } }, guest, owns)).toBeUndefined();
  expect(refusalOf(one, allOf('r1'), owns)).toBeUndefined();
});

test.each([
  intent('POST', '/api/v1/namespaces'),
  intent('POST', csr),
  intent('PUT', '/api/v1/namespaces/ours/secrets/one'),
  intent('DELETE', '/api/v1/namespaces/ours/secrets'),
  intent('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'),
])('a guest may: %j', (one) => {
  expect(refusalOf(one, guest, owns)).toBeUndefined();
});

test('who may only read stores nothing, and reviews store nothing', () => {
  const reader = { ...guest, write: false };
  expect(refusalOf(intent('POST', '/api/v1/namespaces'), reader, owns)).toContain('--read-only');
  expect(refusalOf(intent('DELETE', '/api/v1/namespaces/x'), reader, owns)).toContain('--read-only');
  const review = intent('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews');
  expect(refusalOf(review, reader, owns)).toBeUndefined();
  expect(refusalOf(intent('POST', '/api/v1/namespaces', { query: 'dryRun=All' }), reader, owns)).toBeUndefined();
});

test.each([
  ['of a kind without namespaces', '/apis/scheduling.k8s.io/v1/priorityclasses', undefined],
  ['in a namespace of others', '/api/v1/namespaces/default/secrets', { limit: 1 }],
  ['in all namespaces', '/api/v1/secrets', undefined],
])('a delete of all objects %s is refused, and one of a selection is not', (_, path, query) => {
  const allowed = { ...guest, cluster: true };
  expect(refusalOf(intent('DELETE', path, { query }), allowed, owns)).toContain('--disruptive');
  expect(refusalOf(intent('DELETE', path, { query: { labelSelector: 'a=b' } }), allowed, owns)).toBeUndefined();
});

const secrets = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['*'] }];
const everything = [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] }];
const inOurs = { matchLabels: { 'kubernetes.io/metadata.name': 'ours' } };
const ours = { matchLabels: { 'touchstone/run': 'r1' } };

test.each([
  ['nothing', {}, true],
  ['Secrets of our namespace', { rules: secrets, namespaceSelector: inOurs }, true],
  ['Secrets of any namespace', { rules: secrets }, false],
  ["Secrets of somebody's namespace", { rules: secrets, namespaceSelector: { matchLabels: { team: 'a' } } }, false],
  ['all in our namespace, and what is in none', { rules: everything, namespaceSelector: inOurs }, false],
  [
    'all in our namespace, and nothing else',
    { rules: everything.map((rule) => ({ ...rule, scope: 'Namespaced' })), namespaceSelector: inOurs },
    true,
  ],
  [
    'priority classes, which are in no namespace',
    { rules: [{ ...secrets[0], resources: ['priorityclasses'] }], namespaceSelector: inOurs },
    false,
  ],
  ['all objects of ours', { rules: everything, objectSelector: ours }, true],
  [
    'all objects that any run has made',
    { rules: everything, objectSelector: { matchExpressions: [{ key: 'touchstone/run', operator: 'Exists' }] } },
    true,
  ],
  [
    'all objects that no run has made',
    { rules: everything, objectSelector: { matchExpressions: [{ key: 'touchstone/run', operator: 'DoesNotExist' }] } },
    false,
  ],
])('a webhook that hears of %s', (_, webhook, allowed) => {
  const permit = { ...guest, cluster: true };
  const one = intent('POST', hooks, { body: { webhooks: [{ rules: [] }, webhook] } });
  expect(refusalOf(one, permit, owns) === undefined).toBe(allowed);
  expect(refusalOf(one, { ...permit, disruptive: true }, owns)).toBeUndefined();
});
