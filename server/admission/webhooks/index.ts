import type { Ids } from '../../base/ids.ts';
import { reachService, type ThroughAgent } from '../../kinds/core/service/reach.ts';
import type { Lookup } from '../../kinds/strategy.ts';
import type { Resources } from '../../registry/resources.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionPlugin } from '../admission.ts';
import type { WebhookCredentials } from '../webhook-credentials.ts';
import { ConfigurationSource } from './configuration-source.ts';
import { Mutation } from './mutation.ts';
import { validateByWebhooks } from './validation.ts';
import { type Instruments, webhookMetrics } from './webhook-metrics.ts';
import type { WebhookServices } from './webhook-services.ts';

export interface WebhookAdmissionOptions {
  readonly store: Store;
  readonly lookup: Lookup;
  readonly through: ThroughAgent;
  readonly resources: Resources;
  readonly ids: Ids;
  readonly metrics: Instruments;
  /** What the server shows to mutating and to validating webhooks. */
  readonly credentials: { readonly mutating: WebhookCredentials; readonly validating: WebhookCredentials };
  /** Why a call of this webhook is to fail without being made. */
  readonly interfere?: (name: string) => Error | undefined;
  /** A call failed, and failurePolicy Ignore let the request go on. */
  report(error: Error): void;
}

/** The two plugins that call webhooks. */
export interface WebhookAdmission {
  readonly mutating: AdmissionPlugin;
  readonly validating: AdmissionPlugin;
  /** Tells when the webhooks care about other writes than before. */
  onChange(changed: () => void): void;
  /** Begins to follow the configurations; until then no webhook is called. */
  start(): Promise<void>;
  stop(): void;
}

const mutatingPlugin = (source: ConfigurationSource, services: WebhookServices): AdmissionPlugin => ({
  name: 'MutatingAdmissionWebhook',
  get cares() {
    return source.cares;
  },
  async mutate(attributes) {
    const mutation = new Mutation(attributes, source.webhooks, services);
    return (await mutation.first()) ? () => mutation.second() : undefined;
  },
});

const validatingPlugin = (source: ConfigurationSource, services: WebhookServices): AdmissionPlugin => ({
  name: 'ValidatingAdmissionWebhook',
  get cares() {
    return source.cares;
  },
  validate: (attributes) => validateByWebhooks(attributes, source.webhooks, services),
});

export function webhookAdmission(options: WebhookAdmissionOptions): WebhookAdmission {
  const { store, lookup, through } = options;
  const services: WebhookServices = { ...options, record: webhookMetrics(options.metrics) };
  let changed = () => {};
  const addressOf = reachService(lookup, through);
  const sourceOf = (resource: string, credentials: WebhookCredentials) =>
    new ConfigurationSource(resource, { addressOf, credentials }, () => changed());
  const mutating = sourceOf('mutatingwebhookconfigurations', options.credentials.mutating);
  const validating = sourceOf('validatingwebhookconfigurations', options.credentials.validating);
  return {
    mutating: mutatingPlugin(mutating, services),
    validating: validatingPlugin(validating, services),
    onChange(listener) {
      changed = listener;
    },
    async start() {
      await mutating.follow(store);
      await validating.follow(store);
    },
    stop() {
      mutating.stop();
      validating.stop();
    },
  };
}
