import { isIP } from 'node:net';
import { keyAlgorithm, newKeys, pemOfKey } from './key-pair.ts';
import { x509 } from './x509.ts';

export interface MadeRequest {
  /** PEM. */
  readonly request: string;
  /** PEM of the new private key. */
  readonly key: string;
}

/** A new EC key and a request signed with it. @param names DNS names and IP addresses */
export async function makeRequest(
  subject: { readonly commonName: string; readonly organization: string },
  names: readonly string[],
): Promise<MadeRequest> {
  const lib = await x509();
  const keys = await newKeys();
  const sans = names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value }));
  const made = await lib.Pkcs10CertificateRequestGenerator.create({
    name: [{ O: [subject.organization] }, { CN: [subject.commonName] }],
    keys,
    signingAlgorithm: keyAlgorithm,
    extensions: sans.length > 0 ? [new lib.SubjectAlternativeNameExtension(sans)] : [],
  });
  return { request: made.toString('pem'), key: pemOfKey(keys.privateKey) };
}
