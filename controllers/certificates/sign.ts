import { createPrivateKey } from 'node:crypto';
import type { X509Certificate } from '@peculiar/x509';
import { type Authority, serialNumber } from './authority.ts';
import type { ReadRequest } from './request.ts';
import { extendedPurposes, keyUsageBits } from './usages.ts';
import { x509 } from './x509.ts';

export interface Terms {
  readonly usages: readonly string[];
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Whether the alternative names of the request go into the certificate. */
  readonly withAlternativeNames: boolean;
}

const alternativeNames = '2.5.29.17';

/** Signs a request: its subject and key, never its other extensions, and never as an authority. Answers PEM. */
export async function sign(authority: Authority, request: ReadRequest, terms: Terms): Promise<string> {
  const lib = await x509();
  const issuer = new lib.X509Certificate(authority.certificate);
  const { key, algorithm } = await signingKey(authority.key);
  const names = request.pkcs10.extensions.find(({ type }) => type === alternativeNames);
  const bits = keyUsageBits(terms.usages);
  const purposes = extendedPurposes(terms.usages);
  const certificate = await lib.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    issuer: issuer.subjectName,
    subject: request.pkcs10.subjectName,
    notBefore: new Date(terms.notBefore),
    notAfter: new Date(terms.notAfter),
    publicKey: request.pkcs10.publicKey,
    signingKey: key,
    signingAlgorithm: algorithm,
    extensions: [
      new lib.BasicConstraintsExtension(false, undefined, true),
      // Without a bit the extension would forbid every use (RFC 5280, 4.2.1.3: at least one must be set).
      ...(bits > 0 ? [new lib.KeyUsagesExtension(bits, true)] : []),
      ...(purposes.length > 0 ? [new lib.ExtendedKeyUsageExtension([...purposes])] : []),
      await issuerIdentifier(lib, issuer),
      ...(names && terms.withAlternativeNames ? [names] : []),
    ],
  });
  return `${certificate.toString('pem').trim()}\n`;
}

/** Names the issuer's key as its certificate does: authorities may make their identifiers as they like. */
async function issuerIdentifier(lib: Awaited<ReturnType<typeof x509>>, issuer: X509Certificate) {
  const own = issuer.getExtension(lib.SubjectKeyIdentifierExtension);
  return own
    ? new lib.AuthorityKeyIdentifierExtension(own.keyId)
    : lib.AuthorityKeyIdentifierExtension.create(issuer.publicKey);
}

/** @throws Error for keys that are neither RSA, nor EC on a usual curve, nor Ed25519 */
async function signingKey(pem: string) {
  const key = createPrivateKey(pem);
  const algorithm = algorithmOf(key.asymmetricKeyType, key.asymmetricKeyDetails?.namedCurve);
  const der = key.export({ format: 'der', type: 'pkcs8' });
  return { key: await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']), algorithm };
}

const curves: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

function algorithmOf(type: string | undefined, curve = '') {
  if (type === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const namedCurve = curves[curve];
  if (type === 'ec' && namedCurve) return { name: 'ECDSA', namedCurve, hash: 'SHA-256' };
  if (type === 'ed25519') return { name: 'Ed25519' };
  throw new Error('the key of the signing authority is neither RSA, nor EC on a NIST curve, nor Ed25519');
}
