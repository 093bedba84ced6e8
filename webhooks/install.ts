import { Client } from '../controllers/runtime/client.ts';
import { systemClock } from '../controllers/runtime/clock.ts';
import { connect } from '../controllers/runtime/connection/connection.ts';
import type { KubeconfigChoice } from '../controllers/runtime/connection/kubeconfig.ts';
import { type Policy, pathOf } from './policy.ts';

/** How the API server reaches the policies. */
export interface Reach {
  /** Such as `https://127.0.0.1:8443`, or a Service in the cluster. */
  readonly at: string | { readonly namespace: string; readonly name: string; readonly port: number };
  /** PEM that vouches for the certificate of the policies. */
  readonly authority: string;
}

const configurationName = 'touchstone-webhooks';
const domain = 'webhooks.touchstone.example';

const apiVersion = 'admissionregistration.k8s.io/v1';
const kinds = { mutating: 'MutatingWebhookConfiguration', validating: 'ValidatingWebhookConfiguration' } as const;

/** A MutatingWebhookConfiguration or a ValidatingWebhookConfiguration. */
export interface WebhookConfiguration {
  readonly apiVersion: string;
  readonly kind: (typeof kinds)[keyof typeof kinds];
  readonly metadata: { readonly name: string };
  readonly webhooks: readonly object[];
}

/** The two configurations that make a server ask these policies. */
export function configurations(policies: readonly Policy[], reach: Reach): WebhookConfiguration[] {
  return (['mutating', 'validating'] as const).map((type) => ({
    apiVersion,
    kind: kinds[type],
    metadata: { name: configurationName },
    webhooks: policies.filter((policy) => policy.type === type).map((policy) => webhookOf(policy, reach)),
  }));
}

/**
 * The namespaces of which policies are not asked. A cluster whose own parts cannot start cannot start the policies either, and
 * these could never start again once the last pod that answers for them has gone.
 */
const sparedBy = (at: Reach['at']): readonly string[] => [
  ...new Set(['kube-system', ...(typeof at === 'string' ? [] : [at.namespace])]),
];

function webhookOf(policy: Policy, { at, authority }: Reach) {
  const path = pathOf(policy);
  const caBundle = Buffer.from(authority).toString('base64');
  return {
    name: `${policy.name}.${domain}`,
    rules: policy.rules,
    failurePolicy: policy.failurePolicy,
    // Policies decide on what they see and leave nothing behind.
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 5,
    ...(policy.type === 'mutating' && { reinvocationPolicy: 'IfNeeded' }),
    namespaceSelector: {
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: sparedBy(at) }],
    },
    ...(policy.objectSelector && { objectSelector: policy.objectSelector }),
    clientConfig: { ...(typeof at === 'string' ? { url: at + path } : { service: { ...at, path } }), caBundle },
  };
}

/** Milliseconds that writing the configurations may take. */
const patience = 60_000;

/**
 * Writes the configurations, by server-side apply: doing it again changes only what differs.
 * @param kubeconfig text or file of a client configuration; neither: as kubectl finds it
 */
export async function install(kubeconfig: KubeconfigChoice, objects: readonly WebhookConfiguration[]): Promise<void> {
  const connection = await connect(kubeconfig);
  try {
    const client = new Client({
      connection,
      clock: systemClock,
      signal: AbortSignal.timeout(patience),
      userAgent: fieldManager,
    });
    for (const object of objects) await client.apply(resourceOf(object), object, fieldManager);
  } finally {
    connection.close();
  }
}

const fieldManager = 'touchstone-webhooks';

const resourceOf = ({ kind }: WebhookConfiguration) => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: `${kind.toLowerCase()}s`,
  kind,
  namespaced: false,
});
