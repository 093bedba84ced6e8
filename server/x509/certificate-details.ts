import type { X509Certificate } from 'node:crypto';
import { allElements, type DerElement, derTag, firstElement, membersOf, objectIdentifier } from './der.ts';

/** What of a certificate matters here and is told by the platform not at all or only as text. */
export interface CertificateDetails {
  /** Empty when the subject has none; the last one of several. */
  readonly commonName: string;
  /** In the order of the certificate, each as often as it stands there. */
  readonly organizations: readonly string[];
  readonly signatureAlgorithm: string;
  /** How many further issuers may stand below this one; undefined: any number. */
  readonly pathLength: number | undefined;
  /** Critical extensions by object identifier. */
  readonly critical: readonly string[];
}

const tag = { ...derTag, boolean: 0x01, octetString: 0x04, extensions: 0xa3 } as const;

const commonNameOid = '2.5.4.3';
const organizationOid = '2.5.4.10';
const basicConstraintsOid = '2.5.29.19';

function malformed(): never {
  throw new Error('the certificate is malformed');
}

const members = (element: DerElement | undefined, kind: number) => membersOf(element, kind) ?? malformed();
const identifier = (element: DerElement | undefined) => objectIdentifier(element) || malformed();

/** The character strings of names: how their bytes read, by tag. */
const characterStrings = new Map<number, (bytes: Buffer) => string>([
  [0x0c, (bytes) => bytes.toString('utf8')],
  [0x13, (bytes) => bytes.toString('latin1')],
  [0x14, (bytes) => bytes.toString('latin1')],
  [0x16, (bytes) => bytes.toString('latin1')],
  [0x1e, (bytes) => (bytes.length % 2 ? malformed() : Buffer.from(bytes).swap16().toString('utf16le'))],
]);

interface Attribute {
  readonly oid: string;
  readonly value: DerElement | undefined;
}

const attributesOf = (name: DerElement | undefined): Attribute[] =>
  members(name, tag.sequence).flatMap((set) =>
    members(set, tag.set).map((attribute) => {
      const [type, value] = members(attribute, tag.sequence);
      return { oid: identifier(type), value };
    }),
  );

function textsOf(attributes: readonly Attribute[], oid: string): string[] {
  return attributes
    .filter((attribute) => attribute.oid === oid)
    .map(({ value }) => (value && characterStrings.get(value.tag)?.(value.content)) ?? malformed());
}

interface Extension {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Buffer;
}

function extensionsOf(fields: readonly DerElement[]): Extension[] {
  const wrapped = fields.find((field) => field.tag === tag.extensions);
  if (!wrapped) return [];
  return members(firstElement(wrapped.content), tag.sequence).map((extension) => {
    const parts = members(extension, tag.sequence);
    const value = parts.find((part) => part.tag === tag.octetString)?.content ?? malformed();
    return { oid: identifier(parts[0]), critical: parts.some(isTrue), value };
  });
}

const isTrue = ({ tag: kind, content }: DerElement) => kind === tag.boolean && content[0] !== 0;

function pathLengthOf(extensions: readonly Extension[]): number | undefined {
  const constraints = extensions.find(({ oid }) => oid === basicConstraintsOid);
  if (!constraints) return undefined;
  const parts = members(firstElement(constraints.value), tag.sequence);
  return parts.find((part) => part.tag === tag.integer)?.content.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Reads a certificate's own encoding (RFC 5280 section 4). @throws Error when it is malformed */
export function readDetails(certificate: X509Certificate): CertificateDetails {
  const [whole] = allElements(certificate.raw) ?? malformed();
  const [body, algorithm] = members(whole, tag.sequence);
  const fields = members(body, tag.sequence);
  // An explicit version comes first in all but the oldest certificates.
  const subject = fields[0]?.tag === tag.integer ? 4 : 5;
  const attributes = attributesOf(fields[subject]);
  const extensions = extensionsOf(fields);
  return {
    commonName: textsOf(attributes, commonNameOid).at(-1) ?? '',
    organizations: textsOf(attributes, organizationOid),
    signatureAlgorithm: identifier(members(algorithm, tag.sequence)[0]),
    pathLength: pathLengthOf(extensions),
    critical: extensions.filter(({ critical }) => critical).map(({ oid }) => oid),
  };
}
