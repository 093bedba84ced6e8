import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import type { Exchange } from './exchange.ts';
import type { Answer } from './respond.ts';

/** A counter or histogram that other parts of the server add to; names and labels are the field's usual ones. */
interface Instruments {
  readonly registry: Registry;
  readonly requests: Counter;
  readonly durations: Histogram;
  readonly library: typeof import('prom-client');
  /** Those of the labels that were met, looked up once. */
  readonly series: Map<string, { readonly count: Counter.Internal; readonly duration: Histogram.Internal<string> }>;
}

const labelNames = ['verb', 'group', 'version', 'resource', 'subresource'] as const;
const buckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

/** Series that are kept at hand; clients may ask for any number of paths. */
const mostSeries = 5000;

/** A value that is read when somebody looks. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Default: `gauge`. A counter never falls. */
  readonly type?: 'gauge' | 'counter';
  read(): readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

/**
 * What the server counts of its own work. The metrics library is loaded with the first request, not at start; what
 * is counted until it is there is added then.
 */
export class Metrics {
  #inFlight = 0;
  #begun = 0;
  #instruments: Instruments | undefined;
  #loading: Promise<Instruments> | undefined;
  readonly #gauges: GaugeSource[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that a request began, and everything about it once its answer is out. */
  started(exchange: Exchange): void {
    this.#inFlight++;
    this.#begun++;
    exchange.ending.whenOver(() => {
      this.#inFlight--;
      this.#use((instruments) => finished(exchange, this.#clock.now(), instruments));
    });
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Requests since the start. */
  get begun(): number {
    return this.#begun;
  }

  addGauge(source: GaugeSource): void {
    this.#gauges.push(source);
  }

  /** `/metrics` in the text exposition format. */
  async answer(): Promise<Answer> {
    const { registry } = await this.#load();
    return { code: 200, contentType: 'text/plain; version=0.0.4; charset=utf-8', body: await registry.metrics() };
  }

  /** Everything is counted from nothing again. */
  async reset(): Promise<Answer> {
    const { registry, series } = await this.#load();
    registry.resetMetrics();
    series.clear();
    return { code: 200, contentType: 'text/plain; charset=utf-8', body: 'metrics reset\n' };
  }

  /** Counts something of another part's; `make` is called once, with the library and the registry. */
  count<T>(
    make: (library: typeof import('prom-client'), registry: Registry) => T,
  ): (use: (instrument: T) => void) => void {
    let made: T | undefined;
    return (use) =>
      this.#use(({ library, registry }) => {
        made ??= make(library, registry);
        use(made);
      });
  }

  #use(act: (instruments: Instruments) => void): void {
    if (this.#instruments) act(this.#instruments);
    else void this.#load().then(act);
  }

  #load(): Promise<Instruments> {
    this.#loading ??= import('prom-client').then((library) => {
      this.#instruments = makeInstruments(library, () => this.#inFlight);
      for (const source of this.#gauges) addGauge(library, this.#instruments.registry, source);
      return this.#instruments;
    });
    return this.#loading;
  }
}

function makeInstruments(library: typeof import('prom-client'), inFlight: () => number): Instruments {
  const registry = new library.Registry();
  const registers = [registry];
  const requests = new library.Counter({
    name: 'apiserver_request_total',
    help: 'Requests by verb, resource and HTTP code.',
    labelNames: [...labelNames, 'code'],
    registers,
  });
  const durations = new library.Histogram({
    name: 'apiserver_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer; watches are left out.',
    labelNames: [...labelNames],
    buckets,
    registers,
  });
  const gauge: Gauge = new library.Gauge({
    name: 'apiserver_current_inflight_requests',
    help: 'Requests that are being answered now.',
    registers,
    collect: () => gauge.set(inFlight()),
  });
  library.collectDefaultMetrics({ register: registry });
  return { registry, requests, durations, library, series: new Map() };
}

function addGauge(library: typeof import('prom-client'), registry: Registry, source: GaugeSource): void {
  const options = {
    name: source.name,
    help: source.help,
    labelNames: [...(source.labelNames ?? [])],
    registers: [registry],
    collect: () => {
      shown.reset();
      for (const { labels, value } of source.read()) shown.inc(labels, value);
    },
  };
  const shown: Gauge | Counter = source.type === 'counter' ? new library.Counter(options) : new library.Gauge(options);
}

function finished(
  { info, outgoing, receivedAt }: Exchange,
  now: number,
  { requests, durations, series }: Instruments,
): void {
  const { verb, group, version, resource, subresource } = info;
  const code = String(outgoing.statusCode);
  const key = `${verb} ${group}/${version} ${resource}/${subresource} ${code}`;
  let known = series.get(key);
  if (!known) {
    const labels = { verb: verb.toUpperCase(), group, version, resource, subresource };
    known = { count: requests.labels({ ...labels, code }), duration: durations.labels(labels) };
    if (series.size < mostSeries) series.set(key, known);
  }
  known.count.inc();
  if (verb !== 'watch') known.duration.observe((now - receivedAt) / 1000);
}
