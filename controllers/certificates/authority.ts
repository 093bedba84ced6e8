import { randomBytes, type webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Extension } from '@peculiar/x509';
import { keyAlgorithm, newKeys, pemOfKey } from './key-pair.ts';
import { x509 } from './x509.ts';

/** A certificate authority that can sign. */
export interface Authority {
  /** PEM. */
  readonly certificate: string;
  /** PEM of its private key: RSA, EC or Ed25519. */
  readonly key: string;
}

/** A new authority of its own. @param lifetime milliseconds */
export async function makeAuthority(commonName: string, now: number, lifetime: number): Promise<Authority> {
  const lib = await x509();
  return selfSigned(commonName, now, lifetime, async (key) => [
    new lib.BasicConstraintsExtension(true, 0, true),
    new lib.KeyUsagesExtension(lib.KeyUsageFlags.keyCertSign | lib.KeyUsageFlags.cRLSign, true),
    await lib.SubjectKeyIdentifierExtension.create(key),
  ]);
}

/** @param lifetime milliseconds */
async function selfSigned(
  commonName: string,
  now: number,
  lifetime: number,
  extensionsFor: (key: webcrypto.CryptoKey) => Extension[] | Promise<Extension[]>,
): Promise<Authority> {
  const lib = await x509();
  const keys = await newKeys();
  const certificate = await lib.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: [{ CN: [commonName] }],
    notBefore: new Date(now),
    notAfter: new Date(now + lifetime),
    signingAlgorithm: keyAlgorithm,
    keys,
    extensions: await extensionsFor(keys.publicKey),
  });
  return { certificate: `${certificate.toString('pem').trim()}\n`, key: pemOfKey(keys.privateKey) };
}

/** A self-signed certificate of a server with these names and addresses. @param lifetime milliseconds */
export async function makeServing(hosts: readonly string[], now: number, lifetime: number): Promise<Authority> {
  const lib = await x509();
  const names = hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value }));
  return selfSigned('touchstone-node', now, lifetime, () => [
    new lib.BasicConstraintsExtension(false, undefined, true),
    new lib.KeyUsagesExtension(lib.KeyUsageFlags.digitalSignature, true),
    new lib.ExtendedKeyUsageExtension([lib.ExtendedKeyUsage.serverAuth]),
    new lib.SubjectAlternativeNameExtension(names),
  ]);
}

/** When the authority itself runs out, in milliseconds. @throws Error when its certificate cannot be read */
export const endOf = ({ certificate }: Authority): number => new X509Certificate(certificate).validToDate.getTime();

/** Random, positive and of at most 20 bytes (RFC 5280, 4.1.2.2). */
export function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}
