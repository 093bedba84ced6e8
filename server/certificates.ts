import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

/** PEM of a certificate and its key. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

const day = 86_400_000;
const lifetime = 365 * day;

const made = new Map<string, Promise<KeyPair>>();

/** A self-signed certificate for these names and addresses; one a process, because making it takes a while. */
export function selfSigned(hosts: readonly string[]): Promise<KeyPair> {
  const id = hosts.join(',');
  let pair = made.get(id);
  if (!pair) {
    pair = makeSelfSigned(hosts);
    made.set(id, pair);
  }
  return pair;
}

async function makeSelfSigned(hosts: readonly string[]): Promise<KeyPair> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const now = Date.now();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=touchstone',
    notBefore: new Date(now - day),
    notAfter: new Date(now + lifetime),
    signingAlgorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1']),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const lines = (pkcs8.match(/.{1,64}/g) ?? []).join('\n');
  return {
    certificate: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`,
  };
}

/** The pair kept in a folder; made and kept there (key readable by the owner alone) when it is missing or has run out. */
export async function keptKeyPair(folder: string, hosts: readonly string[]): Promise<KeyPair> {
  const certificateFile = join(folder, 'apiserver.crt');
  const keyFile = join(folder, 'apiserver.key');
  if (existsSync(certificateFile) && existsSync(keyFile)) {
    const kept = { certificate: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    if (await stillGood(kept.certificate, hosts)) return kept;
  }
  const pair = await selfSigned(hosts);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(keyFile, pair.key, { mode: 0o600 });
  writeFileSync(certificateFile, pair.certificate);
  return pair;
}

async function stillGood(pem: string, hosts: readonly string[]): Promise<boolean> {
  const { X509Certificate } = await import('node:crypto');
  try {
    const certificate = new X509Certificate(pem);
    const covers = hosts.every((host) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)));
    return covers && Date.parse(certificate.validTo) > Date.now() + day;
  } catch {
    return false;
  }
}
