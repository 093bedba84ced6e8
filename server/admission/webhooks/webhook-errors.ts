import { badRequest, internalError, type StatusError, statusAnswer } from '../../base/status-error.ts';
import type { AnsweredStatus } from './answer.ts';

/** A call that failed: failurePolicy decides what becomes of the request. */
export class CallFailedError extends Error {
  readonly webhook: string;
  constructor(webhook: string, why: string) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${why}`);
    this.webhook = webhook;
  }
  /** The answer to the request under failurePolicy Fail. */
  refusal(): StatusError {
    return internalError(this.message);
  }
}

/** A webhook said no. `code` is what the client gets, and what is counted. */
export class RejectedError extends Error {
  readonly code: number;
  readonly refusal: StatusError;
  constructor(webhook: string, status: AnsweredStatus | undefined) {
    const refusal = rejection(webhook, status);
    super(refusal.message);
    this.refusal = refusal;
    this.code = refusal.status.code;
  }
}

const smallestRefusal = 400;
/** HTTP knows no larger one. */
const largestCode = 999;

function rejection(webhook: string, status: AnsweredStatus | undefined): StatusError {
  const { code = 0, message = '', reason = '', details } = status ?? {};
  const denied = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = message || reason;
  return statusAnswer(
    code < smallestRefusal ? smallestRefusal : Math.min(code, largestCode),
    why ? `${denied}: ${why}` : `${denied} without explanation`,
    reason || undefined,
    details,
  );
}

/** For a dry run, a webhook must have declared that it leaves nothing behind (rule `webhook.side-effects.undeclared`). */
export const dryRunUnsupported = (webhook: string) =>
  badRequest(`admission webhook ${JSON.stringify(webhook)} does not support dry run`);
