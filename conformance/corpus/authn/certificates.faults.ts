import { slip, slips } from '../fault.ts';

/** Client certificates: which are trusted, and whom their subject names. */
export default [
  slip(
    'only the first organization of a certificate is a group',
    ['authn'],
    'authn/client-certificate.ts',
    'groups: organizations,',
    'groups: organizations.slice(0, 1),',
  ),
  slip(
    'units of an organization are groups as well',
    ['authn'],
    'x509/certificate-details.ts',
    'organizations: textsOf(attributes, organizationOid),',
    "organizations: [...textsOf(attributes, organizationOid), ...textsOf(attributes, '2.5.4.11')],",
  ),
  slip(
    'client certificates count only where they are signed weakly',
    ['authn'],
    'authn/certificate-chain.ts',
    '!weakSignatures.has(signatureAlgorithm)',
    '(weakSignatures.has(signatureAlgorithm))',
  ),
  slip(
    'a certificate that is for servers alone makes a client',
    ['authn'],
    'authn/certificate-chain.ts',
    'if (!chain.every(servesClients))',
    'if (!chain.slice(1).every(servesClients))',
  ),
  slip(
    'a client certificate that has run out is taken',
    'authn',
    'authn/certificate-authority.ts',
    "    if (now > verdict.until) throw new Error('the certificate has expired');\n",
    '',
  ),
  slip(
    'of several authorities for clients the first counts',
    'authn',
    'authn/certificate-authority.ts',
    "return readBundle(readFileSync(file, 'utf8'));",
    "return readBundle(readFileSync(file, 'utf8')).slice(0, 1);",
  ),
  slip(
    'who shows a certificate is not among the authenticated',
    'authn',
    'authn/client-certificate.ts',
    "return knownUser({ name: commonName, uid: '', groups: organizations, extra: noExtra });",
    "return { name: commonName, uid: '', groups: organizations, extra: noExtra };",
  ),
  slips(
    'a client certificate is judged once for its connection',
    ['authn'],
    [
      {
        file: 'authn/certificate-authority.ts',
        from: '      this.#verdicts.set(leaf, verdict);',
        to: '      if (now >= verdict.from && now <= verdict.until) this.#verdicts.set(leaf, verdict);',
      },
      {
        file: 'authn/certificate-authority.ts',
        from: 'let verdict = this.#verdicts.get(leaf);',
        to: 'let verdict = this.#verdicts.get(leaf);\n    if (verdict?.roots === this.#roots) return verdict.details;',
      },
    ],
  ),
  slip(
    'a certificate may be used before its time',
    ['authn'],
    'authn/certificate-authority.ts',
    'if (now < verdict.from)',
    'if (now < verdict.from - 8e12)',
  ),
];
