import type { CertificateRequest } from '../certificates/certificate-request.ts';

/** What a signer signs. The documented questions about a signer, answered as data and one function. */
export interface Signer {
  readonly name: string;
  /** Usages that must be asked for, those of which one must be, and those that may be. */
  readonly usages: {
    readonly required: readonly string[];
    readonly oneOf?: readonly string[];
    readonly permitted: readonly string[];
  };
  /** Whether alternative names of the request are signed as well. */
  readonly alternativeNames: boolean;
  /** What is wrong with the subject and the names; undefined when nothing is. */
  readonly objection: (request: CertificateRequest) => string | undefined;
}

const nodeSubject = ({ organizations, commonName }: CertificateRequest): string | undefined => {
  if (organizations.length !== 1 || organizations[0] !== 'system:nodes')
    return 'the organization must be system:nodes alone';
  if (!/^system:node:./.test(commonName)) return 'the common name must begin with system:node:';
  return undefined;
};

const names = ({ dnsNames, ipAddresses, uris, emails }: CertificateRequest): number =>
  dnsNames.length + ipAddresses.length + uris.length + emails.length;

/** Client certificates for the API server. Approved by people alone. */
export const apiserverClient: Signer = {
  name: 'kubernetes.io/kube-apiserver-client',
  usages: { required: ['client auth'], permitted: ['digital signature', 'key encipherment', 'client auth'] },
  alternativeNames: true,
  objection: ({ organizations }) =>
    organizations.includes('system:masters') ? 'the organization system:masters is not signed for' : undefined,
};

/** Client certificates of node agents. */
export const nodeClient: Signer = {
  name: 'kubernetes.io/kube-apiserver-client-kubelet',
  usages: {
    required: ['client auth', 'digital signature'],
    permitted: ['digital signature', 'key encipherment', 'client auth'],
  },
  alternativeNames: false,
  objection: (request) => nodeSubject(request) ?? (names(request) > 0 ? 'alternative names are not signed' : undefined),
};

/** Serving certificates of node agents. */
export const nodeServing: Signer = {
  name: 'kubernetes.io/kubelet-serving',
  usages: {
    required: ['server auth', 'digital signature'],
    permitted: ['digital signature', 'key encipherment', 'server auth'],
  },
  alternativeNames: true,
  objection: (request) => {
    const { dnsNames, ipAddresses, uris, emails } = request;
    if (uris.length + emails.length > 0) return 'only DNS names and IP addresses are signed';
    if (dnsNames.length + ipAddresses.length === 0) return 'a DNS name or an IP address is needed';
    return nodeSubject(request);
  },
};

/** The signers of the controller `csrsigning`. */
export const wellKnownSigners: readonly Signer[] = [apiserverClient, nodeClient, nodeServing];
