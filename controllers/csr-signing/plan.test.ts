import { expect, test } from 'vitest';
import type { CertificateRequest } from '../certificates/certificate-request.ts';
import { planSigning } from './plan.ts';
import { apiserverClient } from './signers.ts';

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
