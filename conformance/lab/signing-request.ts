import 'reflect-metadata';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import { keyAlgorithm, newKeys } from './certificates.ts';

/** A certificate signing request with a key of its own. */
export interface SigningRequest {
  readonly pem: string;
  /** The public key as base64 of its SubjectPublicKeyInfo. */
  readonly publicKey: string;
}

/**
 * `name` is such as `O=devs, CN=alice`; `hosts` are DNS names and IP addresses, and what no host is called: a mail address,
 * a URL; `authority` asks for the certificate of an authority.
 */
export async function makeSigningRequest(
  name: string,
  hosts: readonly string[] = [],
  { authority = false } = {},
): Promise<SigningRequest> {
  const keys = await newKeys();
  const names = hosts.map((value): x509.JsonGeneralNames[number] => ({ type: formOf(value), value }));
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: keyAlgorithm,
    extensions: [
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
      ...(authority ? [new x509.BasicConstraintsExtension(true, undefined, true)] : []),
    ],
  });
  const spki = await crypto.subtle.exportKey('spki', keys.publicKey);
  return { pem: `${request.toString('pem')}\n`, publicKey: Buffer.from(spki).toString('base64') };
}

function formOf(name: string): x509.JsonGeneralNames[number]['type'] {
  if (isIP(name)) return 'ip';
  if (name.includes('://')) return 'url';
  return name.includes('@') ? 'email' : 'dns';
}
