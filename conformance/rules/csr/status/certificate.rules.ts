import { authorityPem, base64, certificatePem, signingRequestPem } from '../../../../fixtures/certificates.ts';
import { defineRule, type Rule } from '../../../rule.ts';
import { answerStatus, loseWrite, removeIn, replaceIn } from '../../../sabotage/transforms.ts';
import { said } from '../../../verbs/said.ts';
import { apiserverClient, approvedAndIssued, publicKeyOf } from '../../../verbs/signers.ts';
import { approvedRequest, condition, issue, writeConditions } from '../../../verbs/signing-requests.ts';

const patches = { method: 'PATCH', path: /\/status$/ };
const reads = { method: 'GET', path: /\/certificatesigningrequests\/[^/]+$/ };

/** Certificates, as texts, that are taken or refused for a request that has been approved. */
const certificateRule = (
  id: string,
  accepted: Readonly<Record<string, string>>,
  refused: Readonly<Record<string, string>>,
): Rule =>
  defineRule(`csr.status.certificate.${id}`, {
    sabotage: [
      loseWrite(patches),
      removeIn('items.*.status.certificate', { method: 'GET', path: /\/certificatesigningrequests$/ }),
      ...(Object.keys(refused).length > 0 ? [answerStatus(200, { ...patches, instead: 422 })] : []),
    ],
    async check({ signingRequests, expect }) {
      for (const [what, text] of Object.entries(accepted)) {
        const { metadata } = await approvedRequest(signingRequests);
        expect((await issue(signingRequests, metadata.name, text)).status, what).toBe(200);
        const told = [
          await signingRequests.read(metadata.name),
          ...(await signingRequests.list({ fieldSelector: `metadata.name=${metadata.name}` })).items,
        ];
        expect(
          told.map(({ status }) => status.certificate),
          `${what}, by itself and in a list`,
        ).toEqual([base64(text), base64(text)]);
      }
      for (const [what, text] of Object.entries(refused)) {
        const { metadata } = await approvedRequest(signingRequests);
        expect([400, 422], what).toContain((await issue(signingRequests, metadata.name, text)).status);
        expect((await signingRequests.read(metadata.name)).status.certificate ?? '', what).toBe('');
      }
    },
  });

const withHeader = certificatePem.replace(
  '-----BEGIN CERTIFICATE-----\n',
  '-----BEGIN CERTIFICATE-----\nComment: one\n\n',
);
const relabelled = certificatePem.replaceAll('CERTIFICATE', 'X509 CRL');
const otherBytes = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

export default [
  // A certificate comes only after approval.
  defineRule('csr.status.certificate.after-approved', {
    sabotage: loseWrite(patches),
    async check({ signingRequests, looser, expect }) {
      const approved = await approvedRequest(signingRequests);
      await issue(signingRequests, approved.metadata.name, certificatePem);
      expect((await signingRequests.read(approved.metadata.name)).status.certificate, 'after approval').toBe(
        base64(certificatePem),
      );
      const { metadata } = await signingRequests.create();
      await issue(signingRequests, metadata.name, certificatePem);
      const { status } = await signingRequests.read(metadata.name);
      await looser(() => expect(status.certificate ?? '', 'without approval').toBe(''));
    },
  }),

  // A certificate, once there, stays.
  defineRule('csr.status.certificate.immutable', {
    sabotage: [
      answerStatus(200, { ...patches, instead: [400, 422] }),
      replaceIn('status.certificate', reads),
      removeIn('status.certificate', { path: /\/approval$/ }),
    ],
    async check({ signingRequests, expect }) {
      const approved = await approvedRequest(signingRequests);
      const { metadata } = approved;
      expect((await issue(signingRequests, metadata.name, certificatePem)).status).toBe(200);
      for (const text of [authorityPem, `${certificatePem}${authorityPem}`, '']) {
        expect([400, 422], text === '' ? 'none' : 'another').toContain(
          (await issue(signingRequests, metadata.name, text)).status,
        );
      }
      expect((await signingRequests.read(metadata.name)).status.certificate).toBe(base64(certificatePem));
      // Whoever writes something else need not repeat it.
      const { resourceVersion: _, ...unversioned } = metadata;
      for (const sub of ['approval', '']) {
        const answer = await signingRequests.put({ ...approved, metadata: unversioned }, '', { sub });
        expect(answer.status, `an update without it: ${said(answer)}`).toBe(200);
        expect(answer.body.status.certificate, `an update of ${sub || 'the request'} without it`).toBe(
          base64(certificatePem),
        );
      }
      // Nor is it another's turn once it is said, too late, that the request failed.
      const conditions = [...approved.status.conditions, condition('Failed')];
      await writeConditions(signingRequests, metadata.name, conditions, 'status');
      const failed = await issue(signingRequests, metadata.name, authorityPem);
      expect([400, 422], 'another, of a request that failed').toContain(failed.status);
      expect((await signingRequests.read(metadata.name)).status.certificate).toBe(base64(certificatePem));
    },
  }),

  certificateRule(
    'pem-blocks',
    { 'one block': certificatePem, 'two blocks': certificatePem + authorityPem },
    { 'no block': 'a certificate' },
  ),
  certificateRule(
    'label',
    { CERTIFICATE: certificatePem },
    {
      'another label': relabelled,
      'a second block of another label': certificatePem + signingRequestPem,
      'a certificate under another label beside it': certificatePem + relabelled,
      'lower case': certificatePem.replaceAll('CERTIFICATE', 'certificate'),
    },
  ),
  certificateRule(
    'no-headers',
    { 'no headers': certificatePem },
    { 'a header': withHeader, 'a header of the second block': certificatePem + withHeader },
  ),
  certificateRule(
    'asn1',
    { 'a certificate': certificatePem },
    { 'other bytes': otherBytes, 'other bytes in the second block': certificatePem + otherBytes },
  ),
  certificateRule(
    'text-around',
    { 'text before, between and after': `issued\n${certificatePem}by\n${authorityPem}us\n` },
    {},
  ),
  certificateRule('base64', { 'PEM, encoded once more': certificatePem }, {}),

  // The certificate itself comes first, intermediate ones after it.
  defineRule('csr.status.certificate.first-block', {
    needs: ['signer'],
    sabotage: replaceIn('status.certificate', { ...reads, with: base64(authorityPem + certificatePem) }),
    async check(context) {
      const { application, certificate } = await approvedAndIssued(context, apiserverClient);
      context.expect(publicKeyOf(certificate), 'the key of the first block').toBe(application.publicKey);
    },
  }),
];
