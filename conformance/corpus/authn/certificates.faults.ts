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
  slip(
    'of the certificates that a client shows only its own is looked at',
    ['authn'],
    'authn/certificate-authority.ts',
    'judgeChain(leaf, others, this.#roots, now)',
    'judgeChain(leaf, others.slice(others.length), this.#roots, now)',
  ),
  slip(
    'between a client and an authority there may be one other at most',
    ['authn'],
    'authn/certificate-chain.ts',
    'const longestChain = 8;',
    'const longestChain = 1;',
  ),
  slip(
    'whoever has a client certificate may sign further ones by it',
    ['authn'],
    'authn/certificate-chain.ts',
    '  if (!issuer.ca) return false;\n',
    '',
  ),
  slip(
    'how many authorities may stand below one is not looked at',
    ['authn'],
    'authn/certificate-chain.ts',
    'return pathLength === undefined || below <= pathLength;',
    'return pathLength === undefined || below <= 100;',
  ),
  slip(
    'that an authority between has run out is not noticed',
    ['authn'],
    'authn/certificate-chain.ts',
    'return { details: readDetails(leaf), ...validityOf(chain) };',
    'return { details: readDetails(leaf), ...validityOf(chain.slice(0, 1)) };',
  ),
];
