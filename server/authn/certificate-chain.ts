import type { X509Certificate } from 'node:crypto';
import { type CertificateDetails, readDetails } from '../x509/certificate-details.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyUsage = '2.5.29.37.0';

/** Signatures that can be forged today: MD5 and SHA-1 with RSA, DSA or ECDSA. */
const weakSignatures = new Set([
  '1.2.840.113549.1.1.4',
  '1.2.840.113549.1.1.5',
  '1.2.840.10040.4.3',
  '1.2.840.10045.4.1',
]);

/**
 * Critical extensions that are understood: key usage, subject names, basic constraints, where lists of revoked ones are,
 * policies (by which nobody is told apart here), extended key usage.
 */
const understood = new Set(['2.5.29.15', '2.5.29.17', '2.5.29.19', '2.5.29.31', '2.5.29.32', '2.5.29.37']);

/** Bounds on what a client can make the server check. */
const longestChain = 8;
const mostSignatures = 64;

export interface Verdict {
  readonly details: CertificateDetails;
  /** Milliseconds since the epoch between which every certificate of the chain is valid. */
  readonly from: number;
  readonly until: number;
}

/**
 * The subject of `leaf`, which `others` lead to one of the roots, and the time for which that holds. It need not hold
 * `now`: that only decides which chain is taken if there are several.
 * @throws Error with the reason why the certificate is not trusted
 */
export function judgeChain(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  now: number,
): Verdict {
  const chain = findChain(leaf, others, roots, now);
  if (!chain) throw new Error('the certificate is not signed by a known authority');
  if (!chain.every(servesClients)) throw new Error('the certificate is not meant for client authentication');
  return { details: readDetails(leaf), ...validityOf(chain) };
}

const validityOf = (chain: readonly X509Certificate[]) => ({
  from: Math.max(...chain.map(({ validFrom }) => Date.parse(validFrom))),
  until: Math.min(...chain.map(({ validTo }) => Date.parse(validTo))),
});

/** Usages limit what a certificate is for, and those of an issuer limit all that it signs; none named: no limit. */
function servesClients({ keyUsage }: X509Certificate): boolean {
  const usages: readonly string[] | undefined = keyUsage;
  return !usages?.length || usages.includes(clientAuth) || usages.includes(anyUsage);
}

function mayIssue(issuer: X509Certificate, below: number): boolean {
  if (!issuer.ca) return false;
  const { pathLength } = readDetails(issuer);
  return pathLength === undefined || below <= pathLength;
}

const acceptable = (certificate: X509Certificate) => {
  const { signatureAlgorithm, critical } = readDetails(certificate);
  return !weakSignatures.has(signatureAlgorithm) && critical.every((oid) => understood.has(oid));
};

const same = (a: X509Certificate, b: X509Certificate) => a.raw.equals(b.raw);

/** Whether one certificate issued another, for one search: there is an end to how many signatures it checks. */
function issuing() {
  let signatures = 0;
  const signed = (subject: X509Certificate, issuer: X509Certificate) => {
    if (++signatures > mostSignatures) throw new Error('the certificate has too many possible issuers');
    return subject.verify(issuer.publicKey);
  };
  return (issuer: X509Certificate, subject: X509Certificate, below: number) =>
    subject.checkIssued(issuer) && mayIssue(issuer, below) && signed(subject, issuer);
}

/**
 * The certificates from the leaf to a trusted one, one that is valid now if there is any: an authority that renewed
 * its own certificate may stand there twice.
 */
function findChain(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  now: number,
): readonly X509Certificate[] | undefined {
  let expired: readonly X509Certificate[] | undefined;
  const issues = issuing();
  const accept = (chain: readonly X509Certificate[]) => {
    const { from, until } = validityOf(chain);
    if (from <= now && now <= until) return chain;
    expired ??= chain;
    return undefined;
  };
  function extend(chain: readonly X509Certificate[]): readonly X509Certificate[] | undefined {
    const last = chain.at(-1) ?? leaf;
    if (!acceptable(last)) return undefined;
    const below = chain.length - 1;
    for (const root of roots) {
      const found = issues(root, last, below) ? accept([...chain, root]) : undefined;
      if (found) return found;
    }
    if (chain.length > longestChain) return undefined;
    for (const next of others) {
      if (chain.some((each) => same(each, next)) || !issues(next, last, below)) continue;
      const found = extend([...chain, next]);
      if (found) return found;
    }
    return undefined;
  }
  // A certificate that is itself among the trusted ones needs no signature.
  const trusted = roots.some((root) => same(root, leaf)) ? accept([leaf]) : undefined;
  return trusted ?? extend([leaf]) ?? expired;
}
