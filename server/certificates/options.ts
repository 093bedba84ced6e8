import { fileProblems } from '../../file-trouble.ts';
import type { AuthnOptions } from '../authn/options.ts';
import type { Log } from '../request/log.ts';

/** The server's own certificates, and what it shows to others; each field is the flag of the same name in kebab case. */
export interface CertificateOptions {
  /** Missing: nothing is written to disk, and the generated certificate lives as long as the process. */
  readonly certDir?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly tlsMinVersion: 'VersionTLS12' | 'VersionTLS13';
  /** `certificate,key` or `certificate,key:name,name` each. */
  readonly tlsSniCertKey: readonly string[];
  /** PEM files of the authority that the controllers beside the server sign with. */
  readonly clusterSigningCertFile?: string;
  readonly clusterSigningKeyFile?: string;
  /** PEM files: what the server shows to agents of nodes, and what it verifies them with. */
  readonly kubeletClientCertificate?: string;
  readonly kubeletClientKey?: string;
  readonly kubeletCertificateAuthority?: string;
  readonly kubeletPreferredAddressTypes: readonly string[];
  /** PEM files: what the server shows to those that serve groups behind it. */
  readonly proxyClientCertFile?: string;
  readonly proxyClientKeyFile?: string;
}

/** What decides whether keys are made where none are named: who runs beside the server, and whom it was told to trust. */
export interface KeyOptions
  extends CertificateOptions,
    Pick<AuthnOptions, 'clientCaFile' | 'requestheaderClientCaFile'> {
  readonly controllers: readonly string[];
  readonly log?: Log;
}

/** Each needs the other. */
const pairs: readonly (readonly [
  certificate: keyof CertificateOptions,
  key: keyof CertificateOptions,
  problem: string,
])[] = [
  ['tlsCertFile', 'tlsPrivateKeyFile', '--tls-cert-file and --tls-private-key-file need each other'],
  [
    'kubeletClientCertificate',
    'kubeletClientKey',
    '--kubelet-client-certificate and --kubelet-client-key need each other',
  ],
  ['proxyClientCertFile', 'proxyClientKeyFile', '--proxy-client-cert-file and --proxy-client-key-file need each other'],
];

/** Files by the names of their flags; of those that end in `-file` it is seen to elsewhere. */
const filesOf = (options: CertificateOptions) => ({
  'kubelet-client-certificate': options.kubeletClientCertificate,
  'kubelet-client-key': options.kubeletClientKey,
  'kubelet-certificate-authority': options.kubeletCertificateAuthority,
});

/** What is wrong with them, one sentence each. */
export function checkCertificateOptions(options: CertificateOptions): readonly string[] {
  const alone = pairs.filter(([certificate, key]) => Boolean(options[certificate]) !== Boolean(options[key]));
  return [...alone.map(([, , problem]) => problem), ...fileProblems(filesOf(options))];
}
