import { authorityPem, base64 } from '../../../../fixtures/certificates.ts';
import { defineRule } from '../../../rule.ts';
import { replaceIn } from '../../../sabotage/transforms.ts';
import { apiserverClient, apply, approvedAndIssued, decide } from '../../../verbs/signers.ts';

const reads = { method: 'GET', path: /\/certificatesigningrequests\/[^/]+$/ };

export default [
  // What is denied is never issued.
  defineRule('csr.state.deny.not-issued', {
    needs: ['signer'],
    sabotage: replaceIn('status.certificate', { ...reads, with: base64(authorityPem) }),
    async check(context) {
      const application = await apply(context, apiserverClient);
      await decide(context, application, 'Denied');
      // By the time that a later one is issued, so would this one have been.
      await approvedAndIssued(context, apiserverClient);
      const { status } = await context.signingRequests.read(application.name);
      context.expect(status.certificate ?? '').toBe('');
    },
  }),
];
