import type { Pkcs10CertificateRequest } from '@peculiar/x509';
import type { CertificateSigningRequest } from '../runtime/resources.ts';
import type { CertificateRequest } from './certificate-request.ts';
import { x509 } from './x509.ts';

/** A request with what it was read from, which an authority signs. */
export interface ReadRequest extends CertificateRequest {
  readonly pkcs10: Pkcs10CertificateRequest;
}

const basicConstraints = '2.5.29.19';
const alternativeNames = '2.5.29.17';

/** Alternative names that signers judge; with any other they would sign what nobody has looked at. */
const judged: ReadonlySet<string> = new Set(['dns', 'ip', 'url', 'email']);

/**
 * Reads `spec.request` and checks that whoever sent it has the key.
 * @throws Error when it is no request or its signature is wrong, or when it asks for names that others may read otherwise
 */
export async function readRequest(csr: CertificateSigningRequest): Promise<ReadRequest> {
  const { Pkcs10CertificateRequest: Pkcs10, BasicConstraintsExtension, SubjectAlternativeNameExtension } = await x509();
  const pem = Buffer.from(csr.spec?.request ?? '', 'base64').toString('latin1');
  const [block] = /-----BEGIN CERTIFICATE REQUEST-----[^-]+-----END CERTIFICATE REQUEST-----/.exec(pem) ?? [];
  if (!block) throw new Error('spec.request holds no certificate request');
  const pkcs10 = new Pkcs10(block);
  if (!(await pkcs10.verify())) throw new Error('the signature of the certificate request is wrong');
  const subject = pkcs10.subjectName.toJSON().flatMap((part) => Object.entries(part));
  const all = (type: string) => subject.flatMap(([name, values]) => (name === type ? values : []));
  const names = pkcs10.extensions.find(({ type }) => type === alternativeNames);
  const sans = names ? new SubjectAlternativeNameExtension(names.rawData).names.toJSON() : [];
  const ofType = (type: string) => sans.filter((name) => name.type === type).map(({ value }) => value);
  if (sans.some(({ type }) => !judged.has(type)))
    throw new Error('an alternative name is of a kind that is not signed');
  const constraints = pkcs10.extensions.find(({ type }) => type === basicConstraints);
  return {
    commonName: onlyOne(all('CN')),
    organizations: all('O'),
    otherSubjectParts: subject.filter(([name]) => name !== 'CN' && name !== 'O').map(([name]) => name),
    dnsNames: ofType('dns'),
    ipAddresses: ofType('ip'),
    uris: ofType('url'),
    emails: ofType('email'),
    wantsAuthority: constraints !== undefined && new BasicConstraintsExtension(constraints.rawData).ca,
    pkcs10,
  };
}

/** Of several common names some readers take the first and others the last. */
function onlyOne([commonName = '', ...more]: readonly string[]): string {
  if (more.length > 0) throw new Error('the subject has more than one common name');
  return commonName;
}
