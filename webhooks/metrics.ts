import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type ReviewOutcome = 'allowed' | 'denied' | 'patched' | 'failed';

const buckets = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1];

/** What a server of policies counts of its work. */
export class ReviewMetrics {
  readonly #registry = new Registry();
  readonly #reviews = new Counter({
    name: 'admission_reviews_total',
    help: 'Reviews by policy, operation and what was decided.',
    labelNames: ['policy', 'operation', 'outcome'],
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: 'admission_review_duration_seconds',
    help: 'Time to decide on a review, from its last byte on.',
    labelNames: ['policy'],
    buckets,
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** `start`: when the review began, as `performance.now()` tells it. */
  count(policy: string, operation: string, outcome: ReviewOutcome, start: number): void {
    this.#reviews.inc({ policy, operation, outcome });
    this.#durations.observe({ policy }, (performance.now() - start) / 1000);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
