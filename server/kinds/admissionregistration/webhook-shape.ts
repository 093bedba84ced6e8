import type { KubeObject } from '../../base/kube-object.ts';
import type { LabelSelectorField } from '../label-selector-field.ts';

export interface WebhookRule {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
}

export interface WebhookClientConfig {
  url?: string;
  service?: { namespace?: string; name?: string; path?: string; port?: number };
  /** base64 of PEM */
  caBundle?: string;
}

export interface Webhook {
  name?: string;
  clientConfig?: WebhookClientConfig;
  rules?: WebhookRule[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelectorField;
  objectSelector?: LabelSelectorField;
  sideEffects?: string;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[];
  /** Only of mutating webhooks. */
  reinvocationPolicy?: string;
}

export interface WebhookConfiguration extends KubeObject {
  webhooks?: Webhook[];
}
