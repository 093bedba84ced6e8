export type MetricLabels = Readonly<Record<string, string>>;

/** Counts what happens. Names are those that operators know from other controllers. */
export interface Metrics {
  count(name: string, labels: MetricLabels, by?: number): void;
  /** A total that only grows, kept by whoever counts and read when it is asked for. */
  total(name: string, labels: MetricLabels, read: () => number): void;
  /** A value that is read when it is asked for. */
  gauge(name: string, labels: MetricLabels, read: () => number): void;
}

/** Counts nothing. */
export const noMetrics: Metrics = { count() {}, total() {}, gauge() {} };

const help: Readonly<Record<string, string>> = {
  rest_client_requests_total: 'Requests to the API server by method and code.',
  workqueue_depth: 'Keys that wait in the queue.',
  workqueue_adds_total: 'Keys added to the queue.',
  workqueue_retries_total: 'Keys put back into the queue after a failure.',
  reconcile_total: 'Reconciliations by result.',
  reconcile_seconds_total: 'Seconds spent in reconciliations.',
  leader_election_master_status: 'Whether this process leads (1) or waits (0).',
  process_resident_memory_bytes: 'Resident memory in bytes.',
};

/** Metrics as text in the Prometheus exposition format. */
export class TextMetrics implements Metrics {
  readonly #counters = new Map<string, Map<string, number>>();
  readonly #totals = new Map<string, Map<string, () => number>>();
  readonly #gauges = new Map<string, Map<string, () => number>>();

  count(name: string, labels: MetricLabels, by = 1): void {
    const series = seriesOf(this.#counters, name);
    const key = labelText(labels);
    series.set(key, (series.get(key) ?? 0) + by);
  }

  total(name: string, labels: MetricLabels, read: () => number): void {
    seriesOf(this.#totals, name).set(labelText(labels), read);
  }

  gauge(name: string, labels: MetricLabels, read: () => number): void {
    seriesOf(this.#gauges, name).set(labelText(labels), read);
  }

  render(): string {
    const lines: string[] = [];
    for (const [name, series] of this.#counters) {
      lines.push(...head(name, 'counter'), ...[...series].map(([labels, value]) => `${name}${labels} ${value}`));
    }
    for (const [name, series] of this.#totals) lines.push(...head(name, 'counter'), ...linesOf(name, series));
    for (const [name, series] of this.#gauges) lines.push(...head(name, 'gauge'), ...linesOf(name, series));
    return `${lines.join('\n')}\n`;
  }
}

function seriesOf<V>(all: Map<string, Map<string, V>>, name: string): Map<string, V> {
  const series = all.get(name) ?? new Map<string, V>();
  all.set(name, series);
  return series;
}

const linesOf = (name: string, series: ReadonlyMap<string, () => number>): readonly string[] =>
  [...series].map(([labels, read]) => `${name}${labels} ${read()}`);

const head = (name: string, type: string) => [`# HELP ${name} ${help[name] ?? name}`, `# TYPE ${name} ${type}`];

function labelText(labels: MetricLabels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return parts.length > 0 ? `{${parts.join(',')}}` : '';
}
