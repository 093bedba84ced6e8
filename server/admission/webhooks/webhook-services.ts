import type { Ids } from '../../base/ids.ts';
import type { MatchServices } from './match.ts';
import type { CallOutcome } from './webhook-metrics.ts';

/** What calling webhooks needs of the server. */
export interface WebhookServices extends MatchServices {
  readonly ids: Ids;
  record(outcome: CallOutcome): void;
  /** Why a call of this webhook is to fail without being made. */
  readonly interfere?: (name: string) => Error | undefined;
  /** A call failed, and failurePolicy Ignore let the request go on. */
  report(error: Error): void;
}
