import { sameValue } from '../same-value.ts';
import { defineKind } from '../strategy.ts';
import { defaultWebhook, validateWebhooks } from './webhook-rules.ts';
import type { WebhookConfiguration } from './webhook-shape.ts';
import { webhookTable } from './webhook-table.ts';

export const validatingWebhookConfiguration = defineKind<WebhookConfiguration>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  resource: 'validatingwebhookconfigurations',
  bareFinalizers: true,
  unconditionalUpdate: false,
  default({ webhooks }) {
    for (const webhook of webhooks ?? []) defaultWebhook(webhook);
  },
  generationRises: (next, previous) => !sameValue(next.webhooks, previous.webhooks),
  countsEmptied: 'webhooks',
  validate: validateWebhooks,
  table: webhookTable,
});
