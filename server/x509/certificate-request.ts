import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { allElements, type DerElement, derTag, firstElement, membersOf, objectIdentifier } from './der.ts';
import { pemBlocks } from './pem.ts';

/** A PKCS #10 certificate request (RFC 2986) as far as the server looks into it. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

export type RequestOutcome = { readonly request: CertificateRequest } | { readonly problem: string };

const label = 'CERTIFICATE REQUEST';
const malformed = { problem: 'the certificate request is malformed' };

/** Reads the request in the first PEM block and checks that it is signed with its own key. */
export function readCertificateRequest(pem: Buffer): RequestOutcome {
  const block = pemBlocks(pem).next().value;
  if (block?.label !== label) return { problem: `must be a PEM block of type ${label}` };
  const outer = firstElement(block.bytes);
  if (!outer || outer.bytes.length !== block.bytes.length) return malformed;
  const [info, algorithm, signature, ...more] = membersOf(outer, derTag.sequence) ?? [];
  const [version, subject, key] = membersOf(info, derTag.sequence) ?? [];
  if (!info || more.length > 0 || version?.tag !== derTag.integer) return malformed;
  const names = readSubject(subject);
  const publicKey = readKey(key);
  if (!names || !publicKey || signature?.tag !== derTag.bitString || signature.content[0] !== 0) return malformed;
  const problem = checkSignature(publicKey, algorithm, info.bytes, signature.content.subarray(1));
  return problem ? { problem } : { request: names };
}

function readKey(element: DerElement | undefined): KeyObject | undefined {
  if (!element) return undefined;
  try {
    return createPublicKey({ key: element.bytes, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

const commonNameId = '2.5.4.3';
const organizationId = '2.5.4.10';

function readSubject(element: DerElement | undefined): CertificateRequest | undefined {
  const sets = membersOf(element, derTag.sequence);
  if (!sets) return undefined;
  let commonName = '';
  const organizations: string[] = [];
  for (const set of sets) {
    const attributes = membersOf(set, derTag.set);
    if (!attributes) return undefined;
    for (const attribute of attributes) {
      const [id, value] = membersOf(attribute, derTag.sequence) ?? [];
      if (!id || !value) return undefined;
      const name = objectIdentifier(id);
      if (name === commonNameId) commonName = textOf(value);
      if (name === organizationId) organizations.push(textOf(value));
    }
  }
  return { commonName, organizations };
}

const utf8String = 0x0c;
const bmpString = 0x1e;

function textOf({ tag, content }: DerElement): string {
  if (tag === utf8String) return content.toString('utf8');
  if (tag === bmpString && content.length % 2 === 0) return Buffer.from(content).swap16().toString('utf16le');
  return content.toString('latin1');
}

interface SignatureScheme {
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  /** Missing: the scheme hashes by itself. */
  readonly hash?: string;
  readonly pss?: boolean;
}

const rsa = (hash: string): SignatureScheme => ({ keyType: 'rsa', hash });
const ec = (hash: string): SignatureScheme => ({ keyType: 'ec', hash });

const schemes: Readonly<Record<string, SignatureScheme>> = {
  '1.2.840.113549.1.1.5': rsa('sha1'),
  '1.2.840.113549.1.1.11': rsa('sha256'),
  '1.2.840.113549.1.1.12': rsa('sha384'),
  '1.2.840.113549.1.1.13': rsa('sha512'),
  '1.2.840.113549.1.1.10': { keyType: 'rsa', pss: true },
  '1.2.840.10045.4.1': ec('sha1'),
  '1.2.840.10045.4.3.2': ec('sha256'),
  '1.2.840.10045.4.3.3': ec('sha384'),
  '1.2.840.10045.4.3.4': ec('sha512'),
  '1.3.101.112': { keyType: 'ed25519' },
};

const pssHashes: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** The hash of RSASSA-PSS parameters (RFC 4055), which stands in their first tagged member. */
function pssHash(parameters: DerElement | undefined): string | undefined {
  const first = membersOf(parameters, derTag.sequence)?.find(({ tag }) => tag === 0xa0);
  const [hash] = (first && allElements(first.content)) ?? [];
  return pssHashes[objectIdentifier(membersOf(hash, derTag.sequence)?.[0])];
}

function checkSignature(key: KeyObject, algorithm: DerElement | undefined, signed: Buffer, signature: Buffer): string {
  const [id, parameters] = membersOf(algorithm, derTag.sequence) ?? [];
  const scheme = schemes[objectIdentifier(id)];
  const hash = scheme?.pss ? pssHash(parameters) : scheme?.hash;
  if (!scheme || (scheme.pss && !hash)) return 'the signature algorithm is not supported';
  if (key.asymmetricKeyType !== scheme.keyType) return 'the signature algorithm does not fit the key';
  const padding = scheme.pss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};
  try {
    return verify(hash, signed, { key, ...padding }, signature) ? '' : 'the signature is not valid';
  } catch {
    return 'the signature cannot be checked';
  }
}
