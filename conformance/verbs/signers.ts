import { X509Certificate } from 'node:crypto';
import { makeSigningRequest, type SigningRequest } from '../lab/signing-request.ts';
import type { Json } from './client.ts';
import type { RuleContext } from './context.ts';
import { merged } from './merged.ts';
import { condition } from './signing-requests.ts';

/** A signer of the stock controllers, with what it signs. Genuine servers say `kubelet` where documents say node agent. */
export interface WellKnownSigner {
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly subject: string;
  readonly hosts?: readonly string[];
  /** Asks for the certificate of an authority, which no signer of these gives. */
  readonly authority?: boolean;
  /** The extended key usage of its certificates, as an object identifier. */
  readonly purpose: string;
}

const client = {
  usages: ['digital signature', 'key encipherment', 'client auth'],
  purpose: '1.3.6.1.5.5.7.3.2',
} as const;
const node = 'O=system:nodes, CN=system:node:touchstone-node';

export const apiserverClient: WellKnownSigner = {
  ...client,
  signerName: 'kubernetes.io/kube-apiserver-client',
  subject: 'O=touchstone, CN=applicant',
};

export const nodeClient: WellKnownSigner = {
  ...client,
  signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
  subject: node,
};

export const nodeServing: WellKnownSigner = {
  signerName: 'kubernetes.io/kubelet-serving',
  usages: ['digital signature', 'key encipherment', 'server auth'],
  subject: node,
  hosts: ['touchstone-node', '10.1.2.3'],
  purpose: '1.3.6.1.5.5.7.3.1',
};

/** A request that a signer can sign. */
export interface Application extends SigningRequest {
  readonly name: string;
}

/** Creates a request for a signer; `spec` goes over its own. */
export async function apply(
  { signingRequests }: RuleContext,
  { signerName, usages, subject, hosts, authority = false }: WellKnownSigner,
  spec: Json = {},
): Promise<Application> {
  const made = await makeSigningRequest(subject, hosts, { authority });
  const request = Buffer.from(made.pem).toString('base64');
  const { metadata } = await signingRequests.create({ spec: merged({ request, signerName, usages }, spec) });
  return { ...made, name: metadata.name };
}

export const decide = ({ signingRequests }: RuleContext, { name }: Application, type: string): Promise<Json> =>
  signingRequests.merge(name, { status: { conditions: [condition(type)] } }, 'approval');

/** Waits for the certificate of a request, and gives its first block. */
async function issued(context: RuleContext, { name }: Application): Promise<X509Certificate> {
  const { signingRequests, waitUntil, patience } = context;
  const { status } = await waitUntil(
    'the certificate is issued',
    () => signingRequests.read(name),
    (seen) => Boolean(seen.status?.certificate),
    { limit: patience * 2 },
  );
  return new X509Certificate(Buffer.from(status.certificate, 'base64'));
}

/** A request that has been approved and issued. */
export async function approvedAndIssued(
  context: RuleContext,
  signer: WellKnownSigner,
  spec: Json = {},
): Promise<{ application: Application; certificate: X509Certificate }> {
  const application = await apply(context, signer, spec);
  await decide(context, application, 'Approved');
  return { application, certificate: await issued(context, application) };
}

/** Seconds until a certificate runs out. @param now milliseconds since the epoch, by the server's clock where that may be another */
export const secondsLeft = ({ validTo }: X509Certificate, now = Date.now()): number =>
  (Date.parse(validTo) - now) / 1000;

/** The alternative names in a certificate, in order. */
export const namesIn = ({ subjectAltName = '' }: X509Certificate): readonly string[] =>
  subjectAltName.split(', ').filter(Boolean).sort();

export const publicKeyOf = ({ publicKey }: X509Certificate): string =>
  publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
