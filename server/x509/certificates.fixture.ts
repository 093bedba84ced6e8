import 'reflect-metadata';
import { type webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export const usage = {
  clientAuth: '1.3.6.1.5.5.7.3.2',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  codeSigning: '1.3.6.1.5.5.7.3.3',
  any: '2.5.29.37.0',
} as const;

/** A certificate with the key it was made for. */
export interface Issued {
  readonly certificate: X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
  /** Distinguished name. */
  readonly name: string;
}

export interface Wish {
  readonly name: string | readonly Readonly<Record<string, readonly unknown[]>>[];
  /** Milliseconds since the epoch; default: from a year before 2030 to a year after. */
  readonly from?: number;
  readonly until?: number;
  /** Extended key usages; empty: no such extension. */
  readonly usages?: readonly string[];
  readonly authority?: boolean;
  readonly pathLength?: number;
  readonly hash?: 'SHA-1' | 'SHA-256';
  /** Names and addresses of the servers it is for. */
  readonly hosts?: readonly string[];
  /** Policies under which it was issued, which its user has to understand. */
  readonly criticalPolicies?: readonly string[];
  /** Adds an extension that nobody knows. */
  readonly unknownCritical?: boolean;
}

export const year2030 = Date.UTC(2030, 0, 1);
const year = 365 * 86_400_000;

function extensionsOf(wish: Wish): x509.Extension[] {
  const usages = wish.usages ?? (wish.authority ? [] : [usage.clientAuth]);
  return [
    ...(wish.authority ? [new x509.BasicConstraintsExtension(true, wish.pathLength, true)] : []),
    ...(usages.length ? [new x509.ExtendedKeyUsageExtension([...usages])] : []),
    ...(wish.hosts
      ? [
          new x509.SubjectAlternativeNameExtension(
            wish.hosts.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value })),
          ),
        ]
      : []),
    ...(wish.criticalPolicies ? [new x509.CertificatePolicyExtension([...wish.criticalPolicies], true)] : []),
    ...(wish.unknownCritical ? [new x509.Extension('1.2.3.4', true, new Uint8Array([5, 0]))] : []),
  ];
}

/** Makes a certificate, signed by `issuer` or by itself. */
export async function issue(wish: Wish, issuer?: Issued): Promise<Issued> {
  const keys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const made = await x509.X509CertificateGenerator.create({
    subject: wish.name as string,
    issuer: issuer?.name ?? (wish.name as string),
    notBefore: new Date(wish.from ?? year2030 - year),
    notAfter: new Date(wish.until ?? year2030 + year),
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    signingAlgorithm: { ...algorithm, hash: wish.hash ?? 'SHA-256' },
    extensions: extensionsOf(wish),
  });
  return { certificate: new X509Certificate(made.toString('pem')), keys, name: made.subject };
}

export const authority = (name: string, more: Partial<Wish> = {}, issuer?: Issued) =>
  issue({ name: `CN=${name}`, authority: true, ...more }, issuer);
