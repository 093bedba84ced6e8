import { expect, test } from 'vitest';
import type { CertificateRequest } from '../certificates/certificate-request.ts';
import { formatTime } from '../runtime/clock.ts';
import { permissionsToApprove, waitBeforeAsking } from './plan.ts';

const now = Date.UTC(2024, 0, 1);
const [second, minute] = [1_000, 60_000];

test.each([
  ['that just came', 0, 5 * second],
  ['of a minute', minute, 15 * second],
  ['of an hour', 60 * minute, 5 * minute],
])('whether a request %s may be approved is asked again later and later', (_, age, expected) =>
  expect(waitBeforeAsking({ metadata: { creationTimestamp: formatTime(now - age) } } as never, now)).toBe(expected),
);

const none = { otherSubjectParts: [], dnsNames: [], ipAddresses: [], uris: [], emails: [] };
const ofNode: CertificateRequest = {
  ...none,
  organizations: ['system:nodes'],
  commonName: 'system:node:one',
  wantsAuthority: false,
};
const spec = {
  signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
  username: 'system:bootstrap:abcdef',
  usages: ['digital signature', 'key encipherment', 'client auth'],
};
const asked = (what: object, request: Partial<CertificateRequest>) =>
  permissionsToApprove({ spec: { ...spec, ...what } } as never, { ...ofNode, ...request }).map(
    ({ subresource }) => subresource,
  );

test.each<[string, object, Partial<CertificateRequest>, readonly string[]]>([
  ['whoever may ask for nodes', {}, {}, ['nodeclient']],
  ['a node that renews its own', { username: 'system:node:one' }, {}, ['selfnodeclient', 'nodeclient']],
  ['another node', { username: 'system:node:other' }, {}, ['nodeclient']],
  ['whoever needs no key encipherment', { usages: ['digital signature', 'client auth'] }, {}, ['nodeclient']],
])('%s is asked about before a certificate of a node is approved', (_, what, request, permissions) => {
  expect(asked(what, request)).toEqual(permissions);
});

test.each<[string, object, Partial<CertificateRequest>]>([
  ['of another signer', { signerName: 'kubernetes.io/kubelet-serving' }, {}],
  ['of any client', { signerName: 'kubernetes.io/kube-apiserver-client' }, {}],
  ['of an authority', {}, { wantsAuthority: true }],
  ['of no organization', {}, { organizations: [] }],
  ['of another organization', {}, { organizations: ['system:masters'] }],
  ['of one more organization', {}, { organizations: ['system:nodes', 'system:masters'] }],
  ['of a user', {}, { commonName: 'jane' }],
  ['of a node without a name', {}, { commonName: 'system:node:' }],
  ['of a name that only ends like a node', {}, { commonName: 'not-system:node:one' }],
  ['with a DNS name', {}, { dnsNames: ['one'] }],
  ['with an address', {}, { ipAddresses: ['10.0.0.1'] }],
  ['with a URI', {}, { uris: ['spiffe://one'] }],
  ['with a mail address', {}, { emails: ['one@example.com'] }],
  ['for servers', { usages: ['digital signature', 'key encipherment', 'server auth'] }, {}],
  ['for servers too', { usages: [...spec.usages, 'server auth'] }, {}],
  ['for no client', { usages: ['digital signature', 'key encipherment'] }, {}],
  ['that signs nothing', { usages: ['key encipherment', 'client auth'] }, {}],
  ['for nothing', { usages: undefined }, {}],
])('a certificate %s is left to people', (_, what, request) => expect(asked(what, request)).toEqual([]));
