import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
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
  extendedKeyUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
};

const algorithm = sequenceOf(identifier(id.ecdsaWithSha256));
const nameOf = (commonName: string) => sequenceOf(setOf(sequenceOf(identifier(id.commonName), utf8(commonName))));
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

const serving = (hosts: readonly string[]) => [
  extension(id.keyUsage, signsAndCertifies, true),
  extension(id.extendedKeyUsage, sequenceOf(identifier(id.serverAuthentication))),
  extension(id.subjectAlternativeName, sequenceOf(...hosts.map(alternativeName))),
];

/**
 * A self-signed certificate (RFC 5280) of a server with these names and addresses: an EC key, `CN=touchstone`, its own
 * authority. Made by hand, because a library for it takes longer to load than the server takes to start.
 */
export const makeSelfSigned = (hosts: readonly string[], from: Date, until: Date): KeyPair =>
  make('touchstone', serving(hosts), from, until);

/** The same, but signed by such a certificate, which makes it of its own. */
export const makeSigned = (hosts: readonly string[], issuer: KeyPair, from: Date, until: Date): KeyPair =>
  make('touchstone-server', serving(hosts), from, until, { name: 'touchstone', key: issuer.key });

/** An authority that signs the certificates of others (RFC 5280), and is good for nothing else: an EC key. */
export const makeAuthority = (commonName: string, from: Date, until: Date): KeyPair =>
  make(commonName, [extension(id.keyUsage, certifies, true)], from, until);

interface Issuer {
  readonly name: string;
  /** PEM. */
  readonly key: string;
}

function make(commonName: string, extensions: readonly Buffer[], from: Date, until: Date, issuer?: Issuer): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  // The first byte keeps the number positive and its encoding the shortest.
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(15)]);
  const own = [
    extension(id.basicConstraints, sequenceOf(truth), true),
    ...extensions,
    extension(id.subjectKeyIdentifier, octets(createHash('sha1').update(spki).digest())),
  ];
  const content = sequenceOf(
    explicit(0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    nameOf(issuer?.name ?? commonName),
    sequenceOf(time(from), time(until)),
    nameOf(commonName),
    spki,
    explicit(3, sequenceOf(...own)),
  );
  const signature = bits(sign('sha256', content, issuer?.key ?? privateKey));
  return {
    certificate: pem('CERTIFICATE', sequenceOf(content, algorithm, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`;
