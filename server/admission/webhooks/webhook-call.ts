import type { AdmissionAttributes } from '../admission.ts';
import { BadAnswerError, readAnswer, type WebhookAnswer } from './answer.ts';
import type { CompiledWebhook } from './compiled-webhook.ts';
import { reviewText } from './review.ts';
import { CallFailedError, dryRunUnsupported, RejectedError } from './webhook-errors.ts';
import type { CallOutcome, WebhookType } from './webhook-metrics.ts';
import type { WebhookServices } from './webhook-services.ts';

/** How a judged call went: a refusal is kept, so that others can be waited for. */
export type Judged<T> =
  | { readonly outcome: 'passed'; readonly value: T }
  | { readonly outcome: 'ignored'; readonly error: CallFailedError }
  | { readonly outcome: 'refused'; readonly error: unknown };

/**
 * Asks one webhook. `request` is the text of the review's request without its uid.
 * @throws CallFailedError; RejectedError when the webhook says no; StatusError for a dry run that it is not made for
 */
export async function ask(
  webhook: CompiledWebhook,
  request: string,
  { attributes, type, services }: { attributes: AdmissionAttributes; type: WebhookType; services: WebhookServices },
): Promise<WebhookAnswer> {
  const { name, reviewVersion: version, client, timeoutMs } = webhook;
  if (attributes.dryRun && !webhook.dryRunSafe) throw dryRunUnsupported(name);
  if (!version) throw new CallFailedError(name, 'webhook does not accept known AdmissionReview versions (v1, v1beta1)');
  const interference = services.interfere?.(name);
  if (interference) throw new CallFailedError(name, `failed to call webhook: ${interference.message}`);
  const uid = services.ids.uid();
  const answer = await post(client, reviewText(version, uid, request), timeoutMs)
    .then((body) => readAnswer(body, { version, uid, mutating: type === 'admit' }))
    .catch((error: unknown) => {
      if (error instanceof BadAnswerError) throw new CallFailedError(name, error.message);
      throw error;
    });
  for (const [key, value] of answer.auditAnnotations) attributes.annotate(`${name}/${key}`, value);
  return answer;
}

const post = (client: CompiledWebhook['client'], review: string, timeoutMs: number) =>
  client.post(review, timeoutMs).catch((error: Error) => {
    throw new BadAnswerError(`failed to call webhook: ${error.message}`);
  });

/** Runs one call to its end, times it, and decides by failurePolicy what a failure means. Never throws. */
export async function judge<T>(
  webhook: CompiledWebhook,
  operation: AdmissionAttributes['operation'],
  type: WebhookType,
  record: (outcome: CallOutcome) => void,
  act: () => Promise<T>,
): Promise<Judged<T>> {
  const start = performance.now();
  const done = (rest: Pick<CallOutcome, 'code' | 'failedOpen' | 'rejected'>) =>
    record({ name: webhook.name, type, operation, seconds: (performance.now() - start) / 1000, ...rest });
  try {
    const value = await act();
    done({ code: 200, failedOpen: false });
    return { outcome: 'passed', value };
  } catch (error) {
    if (error instanceof RejectedError) {
      done({ rejected: 'no_error', code: error.code, failedOpen: false });
      return { outcome: 'refused', error: error.refusal };
    }
    if (!(error instanceof CallFailedError)) {
      done({ rejected: 'apiserver_internal_error', code: 0, failedOpen: false });
      return { outcome: 'refused', error };
    }
    done({
      ...(!webhook.ignoresFailure && { rejected: 'calling_webhook_error' as const }),
      code: 0,
      failedOpen: webhook.ignoresFailure,
    });
    return webhook.ignoresFailure ? { outcome: 'ignored', error } : { outcome: 'refused', error: error.refusal() };
  }
}
