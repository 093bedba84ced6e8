import { perKey } from '../../base/caches/memo.ts';
import type { AdmissionAttributes } from '../admission.ts';
import type { CompiledWebhook } from './compiled-webhook.ts';
import { type Invocation, RequestMatcher } from './match.ts';
import { requestText } from './review.ts';
import { requestView } from './versions.ts';
import { ask, type Judged, judge } from './webhook-call.ts';
import { RejectedError } from './webhook-errors.ts';
import type { WebhookServices } from './webhook-services.ts';

/**
 * Asks all validating webhooks that a request concerns, at the same time, and waits for all of them. Warnings come in
 * the order of the configurations, whoever answered first.
 * @throws StatusError the first refusal in that order
 */
export async function validateByWebhooks(
  attributes: AdmissionAttributes,
  webhooks: readonly CompiledWebhook[],
  services: WebhookServices,
): Promise<void> {
  const matcher = new RequestMatcher(attributes, services);
  const invocations: Invocation[] = [];
  for (const [index, webhook] of webhooks.entries()) {
    const invocation = await matcher.match(webhook, index);
    if (invocation) invocations.push(invocation);
  }
  if (invocations.length === 0) return;
  const requestOf = requestTexts(attributes, services);
  const judged = await Promise.all(invocations.map((invocation) => call(invocation, attributes, requestOf, services)));
  for (const { warnings } of judged) for (const warning of warnings) attributes.warn(warning);
  for (const [position, { result }] of judged.entries()) {
    if (result.outcome !== 'ignored') continue;
    const { index, webhook } = invocations[position] as Invocation;
    attributes.annotate(`failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`, webhook.name);
    services.report(result.error);
  }
  for (const { result } of judged) if (result.outcome === 'refused') throw result.error;
}

type RequestOf = (as: Invocation['as']) => Promise<string>;

/** The request's text, made once for each version in which somebody is told of it. */
function requestTexts(attributes: AdmissionAttributes, { resources }: WebhookServices): RequestOf {
  return perKey(async (as: Invocation['as']) => {
    const view = requestView(attributes, resources, as);
    const { object, oldObject } = attributes;
    return requestText(
      attributes,
      view,
      object && (await view.show(object)),
      oldObject && (await view.show(oldObject)),
    );
  });
}

interface Heard {
  readonly result: Judged<void>;
  readonly warnings: readonly string[];
}

async function call(
  { webhook, as }: Invocation,
  attributes: AdmissionAttributes,
  requestOf: RequestOf,
  services: WebhookServices,
): Promise<Heard> {
  let warnings: readonly string[] = [];
  const result = await judge(webhook, attributes.operation, 'validating', services.record, async () => {
    const answer = await ask(webhook, await requestOf(as), { attributes, type: 'validating', services });
    warnings = answer.warnings;
    if (!answer.allowed) throw new RejectedError(webhook.name, answer.status);
  });
  return { result, warnings };
}
