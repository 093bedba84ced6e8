import { compileLabelSelector, type LabelSelector, noLabels } from '../../base/selectors/label-selector.ts';
import { StatusError } from '../../base/status-error.ts';
import type { Webhook, WebhookConfiguration } from '../../kinds/admissionregistration/webhook-shape.ts';
import type { Concern } from '../concern.ts';
import { type CompiledRule, compileRule, concernsOf } from './rule.ts';
import type { WebhookClient } from './webhook-client.ts';

export type ReviewVersion = 'v1' | 'v1beta1';

const knownVersions: readonly string[] = ['v1', 'v1beta1'];

/** One entry of a configuration, ready to be matched and called. */
export interface CompiledWebhook {
  readonly configuration: string;
  readonly name: string;
  readonly rules: readonly CompiledRule[];
  /** What the rules are about, apart from versions and scope. */
  readonly cares: readonly Concern[];
  /** matchPolicy Equivalent: other versions of the same objects fit a rule too. */
  readonly equivalent: boolean;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  /** failurePolicy Ignore: a call that fails lets the request go on. */
  readonly ignoresFailure: boolean;
  /** reinvocationPolicy IfNeeded. */
  readonly reinvocable: boolean;
  /** Whether it may be called for a dry run. */
  readonly dryRunSafe: boolean;
  /** The first offered version that this server knows; undefined when there is none, and the call fails. */
  readonly reviewVersion: ReviewVersion | undefined;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly client: WebhookClient;
}

const defaultTimeout = 10;

/** `clientFor` makes, or finds, what calls the webhook. */
export function compileConfiguration(
  { metadata, webhooks = [] }: WebhookConfiguration,
  clientFor: (webhook: Webhook) => WebhookClient,
): CompiledWebhook[] {
  return webhooks.map((webhook) => ({
    configuration: metadata.name ?? '',
    name: webhook.name ?? '',
    rules: (webhook.rules ?? []).map(compileRule),
    cares: (webhook.rules ?? []).flatMap((rule) => concernsOf(rule, webhook.matchPolicy !== 'Exact')),
    equivalent: webhook.matchPolicy !== 'Exact',
    namespaceSelector: selectorOf(webhook.namespaceSelector),
    objectSelector: selectorOf(webhook.objectSelector),
    ignoresFailure: webhook.failurePolicy === 'Ignore',
    reinvocable: webhook.reinvocationPolicy === 'IfNeeded',
    dryRunSafe: webhook.sideEffects === 'None' || webhook.sideEffects === 'NoneOnDryRun',
    reviewVersion: webhook.admissionReviewVersions?.find((each) => knownVersions.includes(each)) as
      | ReviewVersion
      | undefined,
    timeoutMs: (webhook.timeoutSeconds ?? defaultTimeout) * 1000,
    client: clientFor(webhook),
  }));
}

/** Validation lets no selector pass that cannot be compiled; one from an older store fits nothing. */
function selectorOf(selector: Webhook['objectSelector']): LabelSelector {
  try {
    return compileLabelSelector((selector ?? {}) as Parameters<typeof compileLabelSelector>[0]);
  } catch (error) {
    if (error instanceof StatusError) return noLabels;
    throw error;
  }
}
