import { authorityPem, base64, certificatePem } from '../../../../fixtures/certificates.ts';
import { defineRule, type Rule } from '../../../rule.ts';
import { answerStatus, changeRequest, loseWrite, replaceIn } from '../../../sabotage/transforms.ts';
import type { Json } from '../../../verbs/client.ts';
import { nowOn } from '../../../verbs/moment.ts';
import { apiserverClient, approvedAndIssued, nodeClient, nodeServing, secondsLeft } from '../../../verbs/signers.ts';
import { approvedRequest, issue } from '../../../verbs/signing-requests.ts';
import { validityRule } from '../../field-rules.ts';

const reads = { method: 'GET', path: /\/certificatesigningrequests\/[^/]+$/ };
const issues = { method: 'PATCH', path: /\/status$/ };
const forgets = changeRequest(
  'forgets how long a certificate is to be valid',
  ({ spec: { expirationSeconds: _, ...spec }, ...body }) => ({ ...body, spec }),
  { method: 'POST', path: /\/certificatesigningrequests$/ },
);
const longLived = replaceIn('status.certificate', { ...reads, with: base64(authorityPem) });

/** Seconds that the work on a request may take, and clocks may differ. */
const tolerance = 60;

const kind = 'signingRequests';
const expiration = (expirationSeconds: unknown) => ({ spec: { expirationSeconds } });

/** A server takes a certificate of any duration, whatever was asked for. */
const tookAll = (id: string, wish: Json): Rule =>
  defineRule(`csr.spec.expiration-seconds.${id}`, {
    sabotage: [answerStatus(422, issues), loseWrite(issues)],
    async check({ signingRequests, expect }) {
      const { metadata } = await approvedRequest(signingRequests, { spec: wish });
      expect((await issue(signingRequests, metadata.name, certificatePem)).status, 'a certificate for years').toBe(200);
      const { spec, status } = await signingRequests.read(metadata.name);
      expect(status.certificate).toBe(base64(certificatePem));
      expect(spec.expirationSeconds, 'what was asked for').toBe(wish.expirationSeconds);
    },
  });

export default [
  // How long the certificate should last can be asked for by `spec.expirationSeconds`, or not.
  validityRule({
    id: 'csr.spec.expiration-seconds.optional',
    kind,
    accepted: { 'left out': {}, given: expiration(3600) },
    refused: { 'a text': expiration('3600'), 'more than an int32': expiration(2147483648) },
  }),

  // Less than 600 seconds cannot be asked for.
  validityRule({
    id: 'csr.spec.expiration-seconds.min',
    kind,
    accepted: { 600: expiration(600) },
    refused: { 599: expiration(599), 0: expiration(0), '-1': expiration(-1) },
  }),

  // The signers that come along do as asked.
  defineRule('csr.spec.expiration-seconds.built-in', {
    needs: ['signer'],
    sabotage: [forgets, longLived],
    async check(context) {
      for (const [signer, expirationSeconds] of [
        [apiserverClient, 600],
        [nodeServing, 1200],
        [nodeClient, 1800],
      ] as const) {
        const { certificate } = await approvedAndIssued(context, signer, { expirationSeconds });
        const difference = Math.abs(secondsLeft(certificate, await nowOn(context.send)) - expirationSeconds);
        const what = `seconds from the ${expirationSeconds} asked of ${signer.signerName}`;
        context.expect(difference, what).toBeLessThan(tolerance);
      }
    },
  }),

  // They do so up to `--cluster-signing-duration`.
  defineRule('csr.spec.expiration-seconds.max', {
    needs: ['signer'],
    flags: ['--cluster-signing-duration=15m'],
    sabotage: longLived,
    async check(context) {
      const { certificate } = await approvedAndIssued(context, apiserverClient, { expirationSeconds: 7200 });
      context.expect(secondsLeft(certificate), 'seconds, with two hours asked for').toBeLessThan(900 + tolerance);
    },
  }),

  // Whatever a signer gives, nobody may hold it against the request.
  tookAll('may-differ', { expirationSeconds: 600 }),
  tookAll('ignored', { expirationSeconds: 2_000_000_000 }),
];
