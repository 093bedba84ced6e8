import type { Counter, Histogram, Registry } from 'prom-client';
import type { AdmissionAttributes } from '../admission.ts';

type Library = typeof import('prom-client');

/** Where instruments are kept: `make` is called once, and what is counted before it could be is added then. */
export interface Instruments {
  count<T>(make: (library: Library, registry: Registry) => T): (use: (instrument: T) => void) => void;
}

export type WebhookType = 'admit' | 'validating';

export type RejectionType = 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error';

/** How one call of a webhook ended. */
export interface CallOutcome {
  readonly name: string;
  readonly type: WebhookType;
  readonly operation: AdmissionAttributes['operation'];
  /** Missing: the request went on. */
  readonly rejected?: RejectionType;
  /** HTTP code of a refusal by the webhook; 0 otherwise. */
  readonly code: number;
  /** The call failed and failurePolicy Ignore let the request go on. */
  readonly failedOpen: boolean;
  readonly seconds: number;
}

interface WebhookInstruments {
  readonly rejections: Counter;
  readonly requests: Counter;
  readonly failedOpen: Counter;
  readonly durations: Histogram;
}

/** Codes above this one count as this one (rule `metrics.webhook-rejection.code-max`). */
const largestCode = 600;
const buckets = [0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10, 25];

/** What the server counts of its calls to webhooks. */
export function webhookMetrics(instruments: Instruments): (outcome: CallOutcome) => void {
  const use = instruments.count(makeInstruments);
  return (outcome) => use((made) => record(made, outcome));
}

function makeInstruments({ Counter, Histogram }: Library, registry: Registry): WebhookInstruments {
  const registers = [registry];
  return {
    rejections: new Counter({
      name: 'apiserver_admission_webhook_rejection_count',
      help: 'Requests that were rejected by or because of a webhook.',
      labelNames: ['name', 'operation', 'type', 'error_type', 'rejection_code'],
      registers,
    }),
    requests: new Counter({
      name: 'apiserver_admission_webhook_request_total',
      help: 'Calls of webhooks.',
      labelNames: ['name', 'operation', 'type', 'code', 'rejected'],
      registers,
    }),
    failedOpen: new Counter({
      name: 'apiserver_admission_webhook_fail_open_count',
      help: 'Calls of webhooks that failed and were ignored.',
      labelNames: ['name', 'type'],
      registers,
    }),
    durations: new Histogram({
      name: 'apiserver_admission_webhook_admission_duration_seconds',
      help: 'Time that a webhook took, from the making of the review to the use of the answer.',
      labelNames: ['name', 'operation', 'type', 'rejected'],
      buckets,
      registers,
    }),
  };
}

function record({ rejections, requests, failedOpen, durations }: WebhookInstruments, outcome: CallOutcome): void {
  const { name, operation, type, seconds } = outcome;
  const rejected = String(outcome.rejected !== undefined);
  const code = String(Math.min(outcome.code, largestCode));
  durations.observe({ name, operation, type, rejected }, seconds);
  requests.inc({ name, operation, type, code: outcome.rejected ? code : '200', rejected });
  if (outcome.failedOpen) failedOpen.inc({ name, type });
  if (outcome.rejected) rejections.inc({ name, operation, type, error_type: outcome.rejected, rejection_code: code });
}
