import { authorityPem, base64 } from '../../../fixtures/certificates.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { changeAnswer, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import {
  apiserverClient,
  apply,
  approvedAndIssued,
  nodeClient,
  nodeServing,
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

/** What has been approved for the signer gets a certificate that is fit for its purpose. */
const issues = (id: string, signer: WellKnownSigner): Rule =>
  defineRule(`csr.signer.${id}.issuance`, {
    needs,
    sabotage: [
      removeIn('status.certificate', reads),
      replaceIn('status.certificate', { ...reads, with: base64(authorityPem) }),
    ],
    async check(context) {
      const { certificate } = await approvedAndIssued(context, signer);
      const { expect } = context;
      expect(certificate.subject.split('\n').sort()).toEqual(signer.subject.split(', ').sort());
      expect(certificate.keyUsage ?? [], 'extended key usages').toEqual([signer.purpose]);
      for (const host of signer.hosts ?? []) expect(certificate.subjectAltName ?? '').toContain(host);
    },
  });

export default [
  neverApproved('apiserver-client', apiserverClient),
  issues('apiserver-client', apiserverClient),

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
  issues('client-nodeagent', nodeClient),

  neverApproved('nodeagent-serving', nodeServing),
  issues('nodeagent-serving', nodeServing),
];
