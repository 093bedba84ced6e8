import { isIP } from 'node:net';
import { authorityPem, base64, certificatePem } from '../../../fixtures/certificates.ts';
import { type SignerName, signsNothingElse } from '../../checks/access/foreign-requests.ts';
import { powersOf } from '../../lab/certificates.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { changeAnswer, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import {
  apiserverClient,
  apply,
  approvedAndIssued,
  namesIn,
  nodeClient,
  nodeServing,
  publicKeyOf,
  type WellKnownSigner,
} from '../../verbs/signers.ts';
import { condition } from '../../verbs/signing-requests.ts';

const needs = ['signer'] as const;
const reads = { method: 'GET', path: /\/certificatesigningrequests\/[^/]+$/ };

const types = (object: Json): readonly string[] => (object.status?.conditions ?? []).map(({ type }: Json) => type);

const of = ({ signerName }: WellKnownSigner) => ({ signerName });

const approvesAll = changeAnswer(
  'approves every request',
  (body) => ({ ...body, status: { ...body.status, conditions: [condition('Approved')] } }),
  reads,
);

/** Requests for the signer wait for people, even where a node agent asks for what it would get from its own. */
const neverApproved = (id: string, signer: WellKnownSigner): Rule =>
  defineRule(`csr.signer.${id}.approval`, {
    needs,
    sabotage: approvesAll,
    async check(context) {
      const asked = [await apply(context, signer), await apply(context, { ...nodeClient, ...of(signer) })];
      // By the time that a later one has been dealt with, so would these have been.
      await approvedAndIssued(context, signer);
      for (const { name } of asked)
        context.expect(types(await context.signingRequests.read(name))).not.toContain('Approved');
    },
  });

const signsAll = changeAnswer(
  'shows a certificate where it gave none',
  (body) =>
    types(body).includes('Failed')
      ? { ...body, status: { ...body.status, certificate: base64(certificatePem) } }
      : body,
  reads,
);

/** What the usages of all these signers are as bits: those for keys. */
const bits: Readonly<Record<string, number>> = { 'digital signature': 1, 'key encipherment': 4 };

/** A certificate is for whom and what it was asked for, and for nothing else. */
async function isAsAsked(context: RuleContext, signer: WellKnownSigner): Promise<void> {
  const { expect } = context;
  const { application, certificate } = await approvedAndIssued(context, signer);
  expect(certificate.subject.split('\n').sort()).toEqual(signer.subject.split(', ').sort());
  expect(publicKeyOf(certificate), 'whose key').toBe(application.publicKey);
  expect(certificate.keyUsage ?? [], 'extended key usages').toEqual([signer.purpose]);
  const asked = signer.usages.reduce((sum, usage) => sum + (bits[usage] ?? 0), 0);
  const { keyUsages, isAuthority } = powersOf(certificate);
  expect(keyUsages, `key usages, of ${signer.usages.join(', ')}`).toBe(asked);
  expect(namesIn(certificate), 'alternative names').toEqual(signer.hosts?.map(nameOf).sort() ?? []);
  expect(isAuthority, 'is an authority').toBe(false);
}

const nameOf = (host: string): string => (isIP(host) ? `IP Address:${host}` : `DNS:${host}`);

/** What has been approved for the signer gets a certificate that is fit for its purpose, and what is not for it gets none. */
const issues = (id: string, name: SignerName, ...signers: readonly WellKnownSigner[]): Rule =>
  defineRule(`csr.signer.${id}.issuance`, {
    needs,
    sabotage: [
      removeIn('status.certificate', reads),
      replaceIn('status.certificate', { ...reads, with: base64(authorityPem) }),
      signsAll,
    ],
    async check(context) {
      for (const signer of signers) await isAsAsked(context, signer);
      await signsNothingElse(context, name);
    },
  });

export default [
  neverApproved('apiserver-client', apiserverClient),
  // Its clients need not encipher keys.
  issues('apiserver-client', 'apiserverClient', apiserverClient, {
    ...apiserverClient,
    usages: ['digital signature', 'client auth'],
  }),

  // Client certificates of node agents may be approved by `csrapproving`.
  defineRule('csr.signer.client-nodeagent.approval', {
    needs,
    sabotage: removeIn('status.conditions', reads),
    async check(context) {
      const { name } = await apply(context, nodeClient);
      await context.waitUntil(
        'the request is approved',
        () => context.signingRequests.read(name),
        (object) => types(object).includes('Approved'),
      );
    },
  }),
  issues('client-nodeagent', 'nodeClient', nodeClient),

  neverApproved('nodeagent-serving', nodeServing),
  issues('nodeagent-serving', 'nodeServing', nodeServing),
];
