import 'reflect-metadata';
import { KeyObject, type webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import type { KeyPair } from './serve.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const serverAuth = '1.3.6.1.5.5.7.3.1';
const year = 365 * 86_400_000;

/** A certificate for trying things out: for the given names and addresses, vouched for by itself, for a year. */
export async function selfSigned(hosts: readonly string[]): Promise<KeyPair> {
  const keys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const names = hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value }));
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=touchstone webhooks',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + year),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.ExtendedKeyUsageExtension([serverAuth]),
      new x509.SubjectAlternativeNameExtension(names),
    ],
  });
  const key = KeyObject.from(keys.privateKey as webcrypto.CryptoKey);
  return { cert: certificate.toString('pem'), key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
