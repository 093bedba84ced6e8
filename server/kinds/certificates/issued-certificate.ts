import { X509Certificate } from 'node:crypto';
import { allElements } from '../../x509/der.ts';
import { pemBlocks } from '../../x509/pem.ts';

/**
 * What is wrong with the certificates that a signer hands out, as PEM; empty when nothing is. Text around the blocks
 * is not looked at (RFC 7468 section 5.2).
 */
export function certificateProblem(pem: Buffer): string {
  let blocks = 0;
  for (const { label, hasHeaders, bytes } of pemBlocks(pem)) {
    if (label !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(label)}`;
    if (hasHeaders) return 'PEM blocks must not have headers';
    if (bytes.length === 0) return 'a CERTIFICATE PEM block holds no certificate';
    if (!holdsCertificates(bytes)) return 'a certificate is malformed';
    blocks++;
  }
  return blocks > 0 ? '' : 'must hold at least one CERTIFICATE PEM block';
}

/** One certificate after another (RFC 5280 section 4). */
function holdsCertificates(bytes: Buffer): boolean {
  const certificates = allElements(bytes);
  if (!certificates) return false;
  try {
    for (const certificate of certificates) new X509Certificate(certificate.bytes);
    return true;
  } catch {
    return false;
  }
}
