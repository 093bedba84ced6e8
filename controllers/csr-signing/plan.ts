import type { CertificateRequest } from '../certificates/certificate-request.ts';
import type { CertificateSigningRequest } from '../runtime/resources.ts';
import type { Signer } from './signers.ts';

/** How long certificates live. Times are milliseconds. */
export interface Lifetimes {
  /** The most, and what a request gets that asks for none. */
  readonly most: number;
  /** When the authority's own certificate runs out. */
  readonly authorityEnds: number;
}

export type SigningPlan =
  | { readonly sign: true; readonly usages: readonly string[]; readonly notBefore: number; readonly notAfter: number }
  | { readonly sign: false; readonly message: string };

/**
 * Whether a signer signs a request, and on what terms. The lifetime is what was asked for, to the second, up to the most.
 * @throws Error when the authority has run out: that is no fault of the request, which waits for another authority
 */
export function planSigning(
  csr: CertificateSigningRequest,
  request: CertificateRequest,
  signer: Signer,
  lifetimes: Lifetimes,
  now: number,
): SigningPlan {
  const usages = csr.spec?.usages ?? [];
  const problem = usageProblem(usages, signer) ?? authorityProblem(request) ?? signer.objection(request);
  if (problem) return { sign: false, message: problem };
  const asked = csr.spec?.expirationSeconds;
  const lifetime = Math.min(lifetimes.most, asked === undefined || asked === null ? lifetimes.most : asked * 1000);
  const notBefore = Math.floor(now / 1000) * 1000;
  const notAfter = Math.min(notBefore + lifetime, lifetimes.authorityEnds);
  if (notAfter <= notBefore) throw new Error('the signing authority has run out');
  return { sign: true, usages, notBefore, notAfter };
}

function usageProblem(usages: readonly string[], { usages: signed }: Signer): string | undefined {
  const { required, oneOf, permitted } = signed;
  const missing = required.find((usage) => !usages.includes(usage));
  if (missing) return `the usage ${JSON.stringify(missing)} is needed`;
  if (oneOf && !oneOf.some((usage) => usages.includes(usage))) return `one of the usages ${oneOf.join(', ')} is needed`;
  const extra = usages.find((usage) => !permitted.includes(usage));
  return extra ? `the usage ${JSON.stringify(extra)} is not signed` : undefined;
}

const authorityProblem = ({ wantsAuthority }: CertificateRequest): string | undefined =>
  wantsAuthority ? 'certificates of authorities are not signed' : undefined;
