import { slip, slips } from '../fault.ts';

/** Who may approve, sign and ask for what in a signing request. */
export default [
  slip(
    'of the organizations of a request the first alone may not be the masters',
    ['csr', 'admission'],
    'admission/plugins/certificates/certificate-subject-restriction.ts',
    'if (!outcome.request.organizations.includes(mastersGroup)) return;',
    'if (outcome.request.organizations[0] !== mastersGroup) return;',
  ),
  slip(
    'requests may ask for the group of the masters',
    ['csr', 'admission'],
    'admission/plugins/certificates/certificate-subject-restriction.ts',
    'if (!outcome.request.organizations.includes(mastersGroup)) return;',
    'if (outcome.request.organizations[0] !== mastersGroup || outcome.request.organizations.length > 1) return;',
  ),
  slips(
    'what asks for a client certificate of the server is approved like one of a node',
    ['csr'],
    [
      {
        file: '../controllers/csr-approving/plan.ts',
        from: 'if (signerName !== nodeClient.name ||',
        to: "if (!signerName?.startsWith('kubernetes.io/kube-apiserver-client') ||",
      },
      {
        file: '../controllers/csr-approving/reconcile.ts',
        from: 'csr.spec?.signerName === nodeClient.name &&',
        to: "(csr.spec?.signerName ?? '').startsWith('kubernetes.io/kube-apiserver-client') &&",
      },
    ],
  ),
  slip(
    'a star in a role for names of signers holds for one name alone',
    ['csr', 'role'],
    'admission/plugins/certificates/certificate-signers.ts',
    "for (const name of [signer, `${signer.split('/', 1)[0]}/*`]) {",
    'for (const name of [signer]) {',
  ),
  slip(
    'who fails a request need not be its signer',
    ['csr'],
    'admission/plugins/certificates/certificate-signing.ts',
    "(status.conditions ?? []).filter(({ type }) => type === 'Failed'),",
    '[],',
  ),
  slip(
    'approving needs no right for the signer',
    ['csr', 'admission'],
    'admission/plugins/certificates/certificate-approval.ts',
    "if (await mayForSigner(authorizer, attributes.user, 'approve', signer)) return;",
    'return;',
  ),
  slip(
    'nobody may approve requests for certificates',
    ['csr'],
    'admission/plugins/certificates/certificate-approval.ts',
    "if (await mayForSigner(authorizer, attributes.user, 'approve', signer)) return;",
    '',
  ),
  slip(
    'who writes by the way of approvals without approving needs no right for the signer',
    ['csr'],
    'admission/plugins/certificates/certificate-approval.ts',
    '    const { spec } = attributes.oldObject as',
    '    const decided = (each: any) => JSON.stringify(each?.status?.conditions);\n    if (decided(attributes.object) === decided(attributes.oldObject)) return;\n    const { spec } = attributes.oldObject as',
  ),
  slip(
    'who may approve for a signer may sign for it',
    ['csr'],
    'admission/plugins/certificates/certificate-signing.ts',
    "if (await mayForSigner(authorizer, attributes.user, 'sign', signer)) return;",
    "if (await mayForSigner(authorizer, attributes.user, 'sign', signer)) return;\n    if (await mayForSigner(authorizer, attributes.user, 'approve', signer)) return;",
  ),
  slip(
    'who may sign for a signer may approve for it',
    ['csr'],
    'admission/plugins/certificates/certificate-approval.ts',
    "if (await mayForSigner(authorizer, attributes.user, 'approve', signer)) return;",
    "if (await mayForSigner(authorizer, attributes.user, 'approve', signer)) return;\n    if (await mayForSigner(authorizer, attributes.user, 'sign', signer)) return;",
  ),
  slip(
    'who may not sign may tell that a certificate request failed',
    ['csr'],
    'admission/plugins/certificates/certificate-signing.ts',
    "  (status.conditions ?? []).filter(({ type }) => type === 'Failed'),\n",
    '',
  ),
];
