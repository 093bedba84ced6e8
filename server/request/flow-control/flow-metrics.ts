import type { Counter, Histogram } from 'prom-client';
import type { Metrics } from '../metrics.ts';
import type { Flow, FlowCounts } from './classifier.ts';
import type { QueueSet, Rejection } from './queue-set.ts';

interface ShownLevel {
  readonly name: string;
  readonly set: QueueSet;
}

/** Flows that are counted; schemas come and go. */
const mostFlows = 1000;
const buckets = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** What priority and fairness tells of itself, at `/metrics`: `apiserver_flowcontrol_*`. */
export class FlowMetrics {
  readonly #metrics: Metrics;
  readonly #counts = new Map<string, { readonly labels: Record<string, string>; readonly counts: FlowCounts }>();
  readonly #rejected: (use: (counter: Counter) => void) => void;
  readonly #waited: (use: (histogram: Histogram) => void) => void;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    this.#addFlows();
    this.#rejected = metrics.count(
      ({ Counter }, registry) =>
        new Counter({
          name: 'apiserver_flowcontrol_rejected_requests_total',
          help: 'Requests that were turned away.',
          labelNames: ['flow_schema', 'priority_level', 'reason'],
          registers: [registry],
        }),
    );
    this.#waited = metrics.count(
      ({ Histogram }, registry) =>
        new Histogram({
          name: 'apiserver_flowcontrol_request_wait_duration_seconds',
          help: 'How long those requests waited that had to.',
          labelNames: ['flow_schema', 'priority_level', 'execute'],
          buckets,
          registers: [registry],
        }),
    );
  }

  addLevels(levels: () => Iterable<ShownLevel>): void {
    const add = (name: string, help: string, value: (set: QueueSet) => number) =>
      this.#metrics.addGauge({
        name: `apiserver_flowcontrol_${name}`,
        help,
        labelNames: ['priority_level'],
        read: () => Array.from(levels(), ({ name, set }) => ({ labels: { priority_level: name }, value: value(set) })),
      });
    add('request_concurrency_limit', 'Seats of a level.', ({ limits }) => limits.seats);
    add('request_concurrency_in_use', 'Seats of a level that are taken.', ({ seatsInUse }) => seatsInUse);
  }

  /** @returns what is to be called when the wait is over */
  waits(flow: Flow): (rejection: Rejection | undefined) => void {
    const { counts } = flow;
    counts.waiting++;
    const began = performance.now();
    return (rejection) => {
      counts.waiting--;
      const labels = labelsOf(flow);
      const seconds = (performance.now() - began) / 1000;
      this.#waited((histogram) => histogram.observe({ ...labels, execute: String(!rejection) }, seconds));
      if (rejection) this.#rejected((counter) => counter.inc({ ...labels, reason: rejection }));
    };
  }

  /** A schema that changes makes another flow, which goes on where the last one was. */
  countsOf(name: string, level: string): FlowCounts {
    const key = `${name}/${level}`;
    const known = this.#counts.get(key);
    if (known) return known.counts;
    const counts = { executing: 0, waiting: 0, dispatched: 0 };
    if (this.#counts.size < mostFlows) this.#counts.set(key, { labels: labelsOf({ name, level }), counts });
    return counts;
  }

  #addFlows(): void {
    const add = (name: string, help: string, field: keyof FlowCounts, type: 'gauge' | 'counter') =>
      this.#metrics.addGauge({
        name: `apiserver_flowcontrol_${name}`,
        help,
        type,
        labelNames: ['flow_schema', 'priority_level'],
        read: () => Array.from(this.#counts.values(), ({ labels, counts }) => ({ labels, value: counts[field] })),
      });
    add('dispatched_requests_total', 'Requests that were let in.', 'dispatched', 'counter');
    add('current_executing_requests', 'Requests that are being answered now.', 'executing', 'gauge');
    add('current_inqueue_requests', 'Requests that wait now.', 'waiting', 'gauge');
  }
}

const labelsOf = ({ name, level }: Pick<Flow, 'name' | 'level'>) => ({ flow_schema: name, priority_level: level });
