import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { parseIp } from '../base/ip.ts';
import {
  bits,
  element,
  explicit,
  identifier,
  integer,
  octets,
  sequenceOf,
  setOf,
  time,
  truth,
  utf8,
} from './der-writer.ts';

/** PEM of a certificate and its key. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

const id = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  clientAuthentication: '1.3.6.1.5.5.7.3.2',
};

const algorithm = sequenceOf(identifier(id.ecdsaWithSha256));
const nameOf = (commonName: string) => sequenceOf(setOf(sequenceOf(identifier(id.commonName), utf8(commonName))));
/** Bit 0 (digital signature). */
const signs = bits(Buffer.from([0b1000_0000]), 7);
/** Bits 0 (digital signature) and 5 (certificate signing). */
const signsAndCertifies = bits(Buffer.from([0b1000_0100]), 2);
/** Bits 5 (certificate signing) and 6 (signing of revocation lists). */
const certifies = bits(Buffer.from([0b0000_0110]), 1);

const extension = (identity: string, value: Buffer, critical = false) =>
  sequenceOf(identifier(identity), ...(critical ? [truth] : []), octets(value));

/** A GeneralName: `[7]` of an address, `[2]` of a DNS name. */
function alternativeName(host: string): Buffer {
  const address = parseIp(host);
  return address ? element(0x87, address) : element(0x82, Buffer.from(host, 'latin1'));
}

const isAuthority = extension(id.basicConstraints, sequenceOf(truth), true);
const isNone = extension(id.basicConstraints, sequenceOf(), true);

const use = (usage: Buffer, authentication: string) => [
  extension(id.keyUsage, usage, true),
  extension(id.extendedKeyUsage, sequenceOf(identifier(authentication))),
];

const serving = (hosts: readonly string[], usage: Buffer) => [
  ...use(usage, id.serverAuthentication),
  extension(id.subjectAlternativeName, sequenceOf(...hosts.map(alternativeName))),
];

/**
 * A self-signed certificate (RFC 5280) of a server with these names and addresses: an EC key, `CN=touchstone`, its own
 * authority. Made by hand, because a library for it takes longer to load than the server takes to start.
 */
export const makeSelfSigned = (hosts: readonly string[], from: Date, until: Date): KeyPair =>
  make('touchstone', [isAuthority, ...serving(hosts, signsAndCertifies)], from, until);

/** The certificate of such a server that a `CN=touchstone` of ours vouches for, and that vouches for nobody. */
export const makeSigned = (hosts: readonly string[], issuer: KeyPair, from: Date, until: Date): KeyPair =>
  make('touchstone-server', [isNone, ...serving(hosts, signs)], from, until, { name: 'touchstone', key: issuer.key });

/** An authority that signs the certificates of others (RFC 5280), and is good for nothing else: an EC key. */
export const makeAuthority = (commonName: string, from: Date, until: Date): KeyPair =>
  make(commonName, [isAuthority, extension(id.keyUsage, certifies, true)], from, until);

interface Issuer {
  readonly name: string;
  /** PEM. */
  readonly key: string;
}

/** The certificate of a client that an authority vouches for. */
export const makeSignedClient = (commonName: string, issuer: Issuer, from: Date, until: Date): KeyPair =>
  make(commonName, [isNone, ...use(signs, id.clientAuthentication)], from, until, issuer);

function make(commonName: string, extensions: readonly Buffer[], from: Date, until: Date, issuer?: Issuer): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // The first byte keeps the number positive and its encoding the shortest.
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(15)]);
  const own = [...extensions, extension(id.subjectKeyIdentifier, octets(keyIdentifier(publicKey)))];
  if (issuer) {
    const identifier = element(0x80, keyIdentifier(createPublicKey(issuer.key)));
    own.push(extension(id.authorityKeyIdentifier, sequenceOf(identifier)));
  }
  const content = sequenceOf(
    explicit(0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    nameOf(issuer?.name ?? commonName),
    sequenceOf(time(from), time(until)),
    nameOf(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequenceOf(...own)),
  );
  const signature = bits(sign('sha256', content, issuer?.key ?? privateKey));
  return {
    certificate: pem('CERTIFICATE', sequenceOf(content, algorithm, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Of 20 bytes, as RFC 5280 (4.2.1.2) proposes one. */
const keyIdentifier = (key: KeyObject): Buffer =>
  createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();

const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`;
