import type { OptionKind } from '../mistyped.ts';
import type { Authority } from './certificates/authority.ts';
import type { Loop } from './runtime/controller.ts';
import type { Log } from './runtime/log.ts';

export const nodeRuntimes = ['pretended', 'process'] as const;
export type NodeRuntime = (typeof nodeRuntimes)[number];

/** Everything controllers can be told; most fields are the flag of the same name in kebab case. Durations are milliseconds. */
export interface ControllerOptions {
  /** `*`, names, and names with `-` in front. */
  readonly controllers: readonly string[];
  readonly nodeNames: readonly string[];
  /** Whether pods only seem to run, or run as processes of this machine, as whoever runs the controllers. */
  readonly nodeRuntime: NodeRuntime;
  /** What images mean to processes: `name=command`. */
  readonly image: readonly string[];
  /** Folders of this machine below which pods may use any (`hostPath`); none without it. */
  readonly nodeHostPaths: readonly string[];
  /** Folder in which volumes are made for claims; pods may use them. */
  readonly volumesDir?: string;
  /** Folder where the node agent keeps the certificates it asks for; missing: it asks for none. */
  readonly nodeCertificatesDir?: string;
  /** PEM of authorities, or its file: who shows a certificate of theirs may ask nodes for logs, exec and the like. */
  readonly nodeClientCa?: string;
  readonly nodeClientCaFile?: string;
  /** What the agents of nodes serve with; missing: a certificate of their own. */
  readonly nodeServing?: KeyPair;
  /** PEM files of the authority that signs certificates, and how long they may be valid. */
  readonly clusterSigningCertFile?: string;
  readonly clusterSigningKeyFile?: string;
  readonly clusterSigningDuration: number;
  /** That authority itself; it counts before the files. */
  readonly signingAuthority?: Authority;
  /** PEM file for the ConfigMap of the root authority; missing: what the kubeconfig trusts. */
  readonly rootCaFile?: string;
  /** PEM of the key that signs tokens of service account Secrets; it counts before the file. */
  readonly serviceAccountPrivateKey?: string;
  /** PEM file of that key, RSA or EC. */
  readonly serviceAccountPrivateKeyFile?: string;
  /** Where the ingress controller listens; port 0 is any free one. */
  readonly ingressAddress: string;
  readonly ingressHttpPort: number;
  readonly ingressHttpsPort: number;
  /** What it writes into the status of Ingresses; missing: the address at which it listens. */
  readonly ingressPublishAddress?: string;
  /** The name of its IngressClass. */
  readonly ingressClass: string;
  readonly log: Log;
}

/** PEM of a certificate and its key. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface StartOptions extends Partial<ControllerOptions> {
  /** Text of a kubeconfig; it counts before `kubeconfigFile`. */
  readonly kubeconfig?: string;
  readonly kubeconfigFile?: string;
  readonly context?: string;
  /** Loops of one's own, which run beside the controllers that `controllers` names (with `[]`, alone). */
  readonly loops?: readonly Loop[];
  /** Whether `*` means the pretended node and scheduler too, as beside a server of our own; not unless it says so. */
  readonly pretenders?: boolean;
  /** Ends all requests at once when it is aborted, as a leader must that has lost its lease. */
  readonly signal?: AbortSignal;
}

/** Every option there is; the type asks for one that is missing here. */
export const startOptionKinds: Readonly<Record<keyof StartOptions, OptionKind>> = {
  ...{ kubeconfig: 'a text', kubeconfigFile: 'a text', context: 'a text', loops: 'a list', log: 'an object' },
  ...{ pretenders: 'true or false', signal: 'an AbortSignal', controllers: 'a list', nodeNames: 'a list' },
  ...{ nodeRuntime: 'a text', image: 'a list', nodeHostPaths: 'a list', volumesDir: 'a text' },
  ...{ nodeCertificatesDir: 'a text', nodeClientCa: 'a text', nodeClientCaFile: 'a text', nodeServing: 'an object' },
  ...{ rootCaFile: 'a text', clusterSigningCertFile: 'a text', clusterSigningKeyFile: 'a text' },
  ...{ clusterSigningDuration: 'a number', signingAuthority: 'an object' },
  ...{ serviceAccountPrivateKey: 'a text', serviceAccountPrivateKeyFile: 'a text' },
  ...{ ingressAddress: 'a text', ingressHttpPort: 'a number', ingressHttpsPort: 'a number' },
  ...{ ingressPublishAddress: 'a text', ingressClass: 'a text' },
};

export const startOptionNames: readonly string[] = Object.keys(startOptionKinds);
