import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
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
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const sans = names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value }));
  const made = await lib.Pkcs10CertificateRequestGenerator.create({
    name: [{ O: [subject.organization] }, { CN: [subject.commonName] }],
    keys,
    signingAlgorithm: algorithm,
    extensions: sans.length > 0 ? [new lib.SubjectAlternativeNameExtension(sans)] : [],
  });
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'pem', type: 'pkcs8' });
  return { request: made.toString('pem'), key: String(key) };
}
