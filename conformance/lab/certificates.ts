import 'reflect-metadata';
import { createPrivateKey, KeyObject, type webcrypto, type X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

/** How new keys are made, and what signs with them. */
export const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const day = 86_400_000;
const [ofClients, ofServers] = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1'] as const;
const usages = { client: [ofClients], server: [ofServers], both: [ofServers, ofClients] };

/** PEM of a certificate and its key. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** A pair that can sign further ones. */
export interface Authority extends KeyPair {
  readonly name: string;
  readonly signingKey: webcrypto.CryptoKey;
}

export interface Wish {
  /** Such as `O=devs, CN=alice`. */
  readonly name: string;
  readonly usage: keyof typeof usages;
  /** Days from now; default: from yesterday for ten years. */
  readonly fromDay?: number;
  readonly untilDay?: number;
  /** Of a server: names and addresses beside this machine's own. */
  readonly hosts?: readonly string[];
  /** Of a server: `hosts` alone, so that it is none of this machine's. */
  readonly isElsewhere?: true;
}

export const newKeys = () =>
  crypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;

const pemOf = (key: webcrypto.CryptoKey): string =>
  KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();

const validity = ({ fromDay = -1, untilDay = 3650 }: Pick<Wish, 'fromDay' | 'untilDay'>) => ({
  notBefore: new Date(Date.now() + fromDay * day),
  notAfter: new Date(Date.now() + untilDay * day),
});

/** What an authority is not: for what and when it is good, what may stand below it, and whether it is one. */
interface Limits extends Partial<Pick<Wish, 'usage' | 'fromDay' | 'untilDay'>> {
  /** So many further ones. */
  readonly below?: number;
  /** Its key may sign certificates, but its CA flag is FALSE. */
  readonly isNone?: true;
}

/** @param issuer another authority, which vouches for it; without one it is self-signed */
export async function makeAuthority(commonName: string, issuer?: Authority, limits: Limits = {}): Promise<Authority> {
  const keys = await newKeys();
  const name = `CN=${commonName}`;
  const flags = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign;
  const made = await x509.X509CertificateGenerator.create({
    subject: name,
    issuer: issuer?.name ?? name,
    publicKey: keys.publicKey,
    signingKey: issuer?.signingKey ?? keys.privateKey,
    signingAlgorithm: keyAlgorithm,
    ...validity(limits),
    extensions: [
      new x509.BasicConstraintsExtension(!limits.isNone, limits.below, true),
      new x509.KeyUsagesExtension(flags, true),
      ...(limits.usage ? [new x509.ExtendedKeyUsageExtension(usages[limits.usage])] : []),
    ],
  });
  return { certificate: `${made.toString('pem')}\n`, key: pemOf(keys.privateKey), name, signingKey: keys.privateKey };
}

/** The authority that was made as this pair. */
export async function authorityOf({ certificate, key }: KeyPair): Promise<Authority> {
  const { subject: name } = new x509.X509Certificate(certificate);
  const der = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' });
  return {
    certificate,
    key,
    name,
    signingKey: await crypto.subtle.importKey('pkcs8', der, keyAlgorithm, false, ['sign']),
  };
}

/** A certificate of the authority for a client or for servers on this machine. */
export async function makePair(wish: Wish, authority: Authority): Promise<KeyPair> {
  const keys = await newKeys();
  const own = wish.isElsewhere ? [] : ['localhost', '127.0.0.1'];
  const hosts: x509.JsonGeneralNames = [...new Set([...own, ...(wish.hosts ?? [])])].map((value) => ({
    type: isIP(value) ? 'ip' : 'dns',
    value,
  }));
  const made = await x509.X509CertificateGenerator.create({
    subject: wish.name,
    issuer: authority.name,
    publicKey: keys.publicKey,
    signingKey: authority.signingKey,
    signingAlgorithm: keyAlgorithm,
    ...validity(wish),
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(usages[wish.usage]),
      ...(wish.usage === 'server' ? [new x509.SubjectAlternativeNameExtension(hosts)] : []),
    ],
  });
  return { certificate: `${made.toString('pem')}\n`, key: pemOf(keys.privateKey) };
}

/** What the key of a certificate may be used for, as bits of its extension (0 without one), and whether it is an authority's. */
export function powersOf({ raw }: X509Certificate): { readonly keyUsages: number; readonly isAuthority: boolean } {
  const read = new x509.X509Certificate(raw);
  const keyUsages = read.getExtension(x509.KeyUsagesExtension)?.usages ?? 0;
  return { keyUsages, isAuthority: read.getExtension(x509.BasicConstraintsExtension)?.ca === true };
}
