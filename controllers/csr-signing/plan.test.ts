import { describe, expect, test } from 'vitest';
import type { CertificateRequest } from '../certificates/certificate-request.ts';
import { exampleSigner } from './example-signer.ts';
import { planSigning } from './plan.ts';
import { apiserverClient, nodeClient, nodeServing, type Signer } from './signers.ts';

const now = Date.UTC(2024, 0, 1);
const hour = 3_600_000;
const none = { otherSubjectParts: [], organizations: [], dnsNames: [], ipAddresses: [], uris: [], emails: [] };
const request: CertificateRequest = { ...none, commonName: 'jane', wantsAuthority: false };

const plan = (authorityEnds: number, usages = ['client auth']) =>
  planSigning({ spec: { usages } } as never, request, apiserverClient, { most: 24 * hour, authorityEnds }, now);

test('a certificate does not outlive its authority', () => {
  expect(plan(now + hour)).toMatchObject({ sign: true, notAfter: now + hour });
});

test('a request waits for another authority where this one has run out, unless it is never signed anyway', () => {
  expect(() => plan(now)).toThrow('the signing authority has run out');
  expect(plan(now, ['server auth'])).toMatchObject({ sign: false });
});

test.each<[string, number | null | undefined, number]>([
  ['as long as it was asked for', 600, 600],
  ['as long as any where nothing was asked for', undefined, 24 * 3_600],
  ['as long as any where null was asked for', null, 24 * 3_600],
  ['no longer than any', 25 * 3_600, 24 * 3_600],
])('a certificate lives %s, from the second on that has begun', (_, expirationSeconds, seconds) => {
  const csr = { spec: { usages: ['client auth'], expirationSeconds } } as never;
  const lifetimes = { most: 24 * hour, authorityEnds: now + 1_000 * hour };
  expect(planSigning(csr, request, apiserverClient, lifetimes, now + 999)).toMatchObject({
    notBefore: now,
    notAfter: now + seconds * 1_000,
  });
});

const ofNode = { ...request, organizations: ['system:nodes'], commonName: 'system:node:one' };
const serving = { ...ofNode, dnsNames: ['one'] };
const workload = { ...request, commonName: 'shop.prod.svc' };
const clientUsages = ['digital signature', 'client auth'];
const serverUsages = ['digital signature', 'server auth'];
type Case = readonly [what: string, request: CertificateRequest, usages: readonly string[]];

describe.each<[string, Signer, readonly Case[], readonly Case[]]>([
  [
    'clients',
    apiserverClient,
    [
      ['a user', request, ['client auth']],
      ['one of groups and with names', { ...serving, organizations: ['a', 'b'] }, ['client auth', 'key encipherment']],
    ],
    [
      ['one of the masters', { ...request, organizations: ['a', 'system:masters'] }, ['client auth']],
      ['an authority', { ...request, wantsAuthority: true }, ['client auth']],
      ['one that is no client', request, ['digital signature']],
      ['one that is a server too', request, ['client auth', 'server auth']],
    ],
  ],
  [
    'nodes as clients',
    nodeClient,
    [['a node', ofNode, clientUsages]],
    [
      ['one with a name', serving, clientUsages],
      ['one with an address', { ...ofNode, ipAddresses: ['10.0.0.1'] }, clientUsages],
      ['one of no organization', { ...ofNode, organizations: [] }, clientUsages],
      ['one of one more organization', { ...ofNode, organizations: ['system:nodes', 'a'] }, clientUsages],
      ['a user', { ...ofNode, commonName: 'jane' }, clientUsages],
      ['one without a name', { ...ofNode, commonName: 'system:node:' }, clientUsages],
      ['one that signs nothing', ofNode, ['client auth']],
      ['a server', ofNode, serverUsages],
    ],
  ],
  [
    'nodes as servers',
    nodeServing,
    [
      ['one with a name', serving, serverUsages],
      ['one with an address', { ...ofNode, ipAddresses: ['10.0.0.1'] }, [...serverUsages, 'key encipherment']],
    ],
    [
      ['one without either', ofNode, serverUsages],
      ['one with a URI', { ...serving, uris: ['spiffe://one'] }, serverUsages],
      ['one with a mail address', { ...serving, emails: ['one@example.com'] }, serverUsages],
      ['one of another organization', { ...serving, organizations: ['a'] }, serverUsages],
      ['a user', { ...serving, commonName: 'jane' }, serverUsages],
      ['a client', serving, clientUsages],
      ['a client too', serving, [...serverUsages, 'client auth']],
    ],
  ],
  [
    'workloads, which is an example',
    exampleSigner,
    [
      ['a client', workload, clientUsages],
      ['a server with its name', { ...workload, dnsNames: [workload.commonName] }, serverUsages],
      ['both', workload, [...clientUsages, 'server auth', 'key encipherment']],
      ['one whose name is as long as may be', { ...workload, commonName: `${'a'.repeat(55)}.prod.svc` }, clientUsages],
    ],
    [
      ['one of a longer name', { ...workload, commonName: `${'a'.repeat(56)}.prod.svc` }, clientUsages],
      ['one without a namespace', { ...workload, commonName: 'shop.svc' }, clientUsages],
      ['one of a longer path', { ...workload, commonName: 'shop.prod.svc.cluster' }, clientUsages],
      ['one of a wild name', { ...workload, commonName: '*.prod.svc' }, clientUsages],
      ['one of an organization', { ...workload, organizations: ['system:masters'] }, clientUsages],
      ['one of a country', { ...workload, otherSubjectParts: ['C'] }, clientUsages],
      ['one with an address', { ...workload, ipAddresses: ['10.0.0.1'] }, clientUsages],
      ['one with a URI', { ...workload, uris: ['spiffe://one'] }, clientUsages],
      ['one with a mail address', { ...workload, emails: ['one@example.com'] }, clientUsages],
      ['one with the name of another', { ...workload, dnsNames: ['shop.prod.svc', 'till.prod.svc'] }, serverUsages],
      ['one that is neither client nor server', workload, ['digital signature']],
      ['one that signs code', workload, [...clientUsages, 'code signing']],
      ['an authority', { ...workload, wantsAuthority: true }, clientUsages],
    ],
  ],
])('the signer of %s', (_, signer, signed, refused) => {
  const lifetimes = { most: 24 * hour, authorityEnds: now + 1_000 * hour };
  const planned = (asked: CertificateRequest, usages: readonly string[]) =>
    planSigning({ spec: { usages } } as never, asked, signer, lifetimes, now).sign;
  test.each(signed)('signs for %s', (_what, asked, usages) => expect(planned(asked, usages)).toBe(true));
  test.each(refused)('refuses %s', (_what, asked, usages) => expect(planned(asked, usages)).toBe(false));
});
