import type { Timers } from '../../base/time/timers.ts';
import type { Store } from '../../store/store.ts';
import type { Metrics } from '../metrics.ts';
import { FlowMetrics } from './flow-metrics.ts';
import type { Gate } from './gate.ts';
import { InFlightGate } from './in-flight-gate.ts';
import type { FlowControlOptions } from './options.ts';
import { PriorityGate } from './priority-gate.ts';

export interface GateParts {
  readonly options: FlowControlOptions;
  readonly features: { enabled(name: string): boolean };
  readonly store: Store;
  readonly timers: Timers;
  readonly metrics: Metrics;
  /** Where the objects of a resource are stored; undefined for one that is not served. */
  prefixOf(group: string, version: string, resource: string): string | undefined;
}

export interface BuiltGate {
  readonly gate: Gate;
  /** Follows what is stored from now on, if that matters. */
  start(): Promise<void>;
  stop(): void;
}

/** What lets requests in, as the options ask for it. */
export function buildGate({ options, features, metrics, ...parts }: GateParts): BuiltGate {
  const { maxRequestsInflight: reading, maxMutatingRequestsInflight: writing } = options;
  if (!options.enablePriorityAndFairness || !features.enabled('APIPriorityAndFairness')) {
    return { gate: new InFlightGate({ reading, writing }), start: async () => {}, stop: () => {} };
  }
  const gate = new PriorityGate({ ...parts, seats: reading + writing, metrics: new FlowMetrics(metrics) });
  return { gate, start: () => gate.start(), stop: () => gate.stop() };
}
