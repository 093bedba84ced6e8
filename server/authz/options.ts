import type { Flag } from '../base/flag.ts';

/** How requests are authorized; each field is the flag of the same name in kebab case. */
export interface AuthzOptions {
  /** Authorizers in order: RBAC, Node, Webhook, AlwaysAllow, AlwaysDeny. Members of `system:masters` pass all of them. */
  readonly authorizationMode: readonly string[];
  /** Client configuration file of the service that the mode Webhook asks. */
  readonly authorizationWebhookConfigFile?: string;
  /** Version of the SubjectAccessReview sent to it: `v1` or `v1beta1`. */
  readonly authorizationWebhookVersion: string;
  /** Milliseconds that an allowing answer is kept. */
  readonly authorizationWebhookCacheAuthorizedTtl: number;
  /** Milliseconds that another answer is kept. */
  readonly authorizationWebhookCacheUnauthorizedTtl: number;
}

const authorizationModes: readonly string[] = ['AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];

export const authzFlags: readonly Flag[] = [
  {
    name: 'authorization-mode',
    type: 'strings',
    default: 'RBAC',
    help: `Authorizers in the order they are asked: ${authorizationModes.join(', ')}.`,
    oneOf: authorizationModes,
  },
  {
    name: 'authorization-webhook-config-file',
    type: 'string',
    default: '',
    help: 'Client configuration file of the service that the mode Webhook asks.',
  },
  {
    name: 'authorization-webhook-version',
    type: 'string',
    default: 'v1beta1',
    help: 'Version of the SubjectAccessReview sent to the authorization webhook: v1 or v1beta1.',
    oneOf: ['v1', 'v1beta1'],
  },
  {
    name: 'authorization-webhook-cache-authorized-ttl',
    type: 'duration',
    default: '5m0s',
    help: 'How long an allowing answer of the authorization webhook is kept.',
  },
  {
    name: 'authorization-webhook-cache-unauthorized-ttl',
    type: 'duration',
    default: '30s',
    help: 'How long any other answer of the authorization webhook is kept.',
  },
];

/** What is wrong with the options, one sentence each; empty when the server can start with them. */
export function checkAuthzOptions(options: AuthzOptions): readonly string[] {
  const { authorizationMode: modes, authorizationWebhookConfigFile: file } = options;
  const problems: string[] = [];
  if (!modes.length) problems.push('--authorization-mode needs at least one mode');
  if (new Set(modes).size < modes.length) problems.push('--authorization-mode names a mode twice');
  if (modes.includes('Webhook') && !file) {
    problems.push('--authorization-mode=Webhook needs --authorization-webhook-config-file');
  }
  if (file && !modes.includes('Webhook')) {
    problems.push('--authorization-webhook-config-file needs --authorization-mode=Webhook');
  }
  return problems;
}
