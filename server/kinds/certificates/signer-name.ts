import { type FieldError, invalidValue, required, tooLong } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { dnsLabel, dnsSubdomain } from '../../base/names.ts';

const legacySigner = 'kubernetes.io/legacy-unknown';
const maxDomain = 253;
/** A domain, a slash, and a path that is a subdomain and one more label. */
const maxSignerName = maxDomain + 1 + 253 + 1 + 63;

/** `domain/path`: a domain of two labels or more, and a path of lower-case names with dots between them. */
export function validateSignerName(signerName: string, at: FieldPath): FieldError[] {
  if (signerName === '') return [required(at, 'a signer must be named')];
  if (signerName === legacySigner)
    return [invalidValue(at, signerName, 'this signer cannot be asked for in this version')];
  const [domain = '', path = '', ...more] = signerName.split('/', 3);
  if (!signerName.includes('/') || more.length > 0)
    return [invalidValue(at, signerName, "must be a domain and a path, such as 'example.com/signer-name'")];
  return [
    ...validateDomain(domain, at),
    ...path.split('.').flatMap((part) => dnsSubdomain(part).map((problem) => invalidValue(at, path, problem))),
    ...(Buffer.byteLength(signerName) > maxSignerName ? [tooLong(at, maxSignerName)] : []),
  ];
}

function validateDomain(domain: string, at: FieldPath): FieldError[] {
  const labels = domain.split('.');
  return [
    ...(Buffer.byteLength(domain) > maxDomain ? [tooLong(at, maxDomain)] : []),
    ...labels.flatMap((part) => dnsLabel(part).map((problem) => invalidValue(at, domain, problem))),
    ...(labels.length < 2 ? [invalidValue(at, domain, 'must be a domain of at least two parts')] : []),
  ];
}
