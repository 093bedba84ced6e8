import { authorityPem, base64 } from '../../../../fixtures/certificates.ts';
import { defineRule } from '../../../rule.ts';
import { replaceIn } from '../../../sabotage/transforms.ts';
import type { RuleContext } from '../../../verbs/context.ts';
import { type Application, apiserverClient, apply, approvedAndIssued, decide } from '../../../verbs/signers.ts';
import { condition, writeConditions } from '../../../verbs/signing-requests.ts';

const reads = { method: 'GET', path: /\/certificatesigningrequests\/[^/]+$/ };

/** Nor is what was said to have failed before it was approved. */
async function failsFirst(context: RuleContext): Promise<Application> {
  const { signingRequests, expect } = context;
  const application = await apply(context, apiserverClient);
  const conditions = [condition('Failed')];
  const failed = await writeConditions(signingRequests, application.name, conditions, 'status');
  expect(failed.status, 'Failed').toBe(200);
  conditions.push(condition('Approved'));
  const approved = await writeConditions(signingRequests, application.name, conditions, 'approval');
  expect(approved.status, 'Approved, once it has failed').toBe(200);
  return application;
}

export default [
  // What is denied is never issued.
  defineRule('csr.state.deny.not-issued', {
    needs: ['signer'],
    sabotage: replaceIn('status.certificate', { ...reads, with: base64(authorityPem) }),
    async check(context) {
      const application = await apply(context, apiserverClient);
      await decide(context, application, 'Denied');
      const failed = await failsFirst(context);
      // By the time that a later one is issued, so would these have been.
      await approvedAndIssued(context, apiserverClient);
      for (const { name } of [application, failed]) {
        const { status } = await context.signingRequests.read(name);
        context.expect(status.certificate ?? '', name === failed.name ? 'what has failed' : 'what is denied').toBe('');
      }
    },
  }),
];
