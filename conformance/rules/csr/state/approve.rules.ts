import { authorityPem, base64 } from '../../../../fixtures/certificates.ts';
import { defineRule } from '../../../rule.ts';
import { removeIn, replaceIn } from '../../../sabotage/transforms.ts';
import { apiserverClient, approvedAndIssued, publicKeyOf } from '../../../verbs/signers.ts';

const reads = { method: 'GET', path: /\/certificatesigningrequests\/[^/]+$/ };

export default [
  // What is approved may be issued.
  defineRule('csr.state.approve.then-issue', {
    needs: ['signer'],
    sabotage: [
      removeIn('status.certificate', reads),
      replaceIn('status.certificate', { ...reads, with: base64(authorityPem) }),
    ],
    async check(context) {
      const { application, certificate } = await approvedAndIssued(context, apiserverClient);
      context.expect(publicKeyOf(certificate)).toBe(application.publicKey);
    },
  }),
];
