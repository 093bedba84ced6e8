import type { Counter, Gauge, Registry } from 'prom-client';
import { Histogram, type HistogramSource, type NoteDuration } from '../base/histogram.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Answer } from './answer/respond.ts';
import type { Exchange } from './exchange.ts';

/** A counter or histogram that other parts of the server add to; names and labels are the field's usual ones. */
interface Instruments {
  readonly registry: Registry;
  readonly library: typeof import('prom-client');
}

/** Requests that look alike, counted in plain numbers until somebody looks. */
interface Alike {
  readonly labels: Readonly<Record<string, string>>;
  /** How many were answered with each code. */
  readonly counts: Map<number, number>;
  readonly took: NoteDuration;
}

const labelNames = ['verb', 'group', 'version', 'resource', 'subresource'] as const;
const bounds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

/** Clients may ask for any number of paths: requests that look like none of the first are counted together. */
const mostSeries = 5000;
const others = 'others';

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
 * What the server counts of its own work. The metrics library is loaded when it is first needed, not at start; what
 * is counted until it is there is added then.
 */
export class Metrics {
  #instruments: Instruments | undefined;
  #loading: Promise<Instruments> | undefined;
  readonly #gauges: GaugeSource[] = [];
  readonly #durations = new Histogram(
    'apiserver_request_duration_seconds',
    'Time from the arrival of a request to the end of its answer; watches are left out.',
    bounds,
  );
  readonly #histograms: HistogramSource[] = [this.#durations];
  readonly #alike = new Map<string, Alike>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes everything about a request once its answer is out. */
  finished({ info, outgoing, receivedAt }: Exchange): void {
    const { verb, sort } = info;
    const { counts, took } = this.#alike.get(sort) ?? this.#firstOf(sort, info);
    counts.set(outgoing.statusCode, (counts.get(outgoing.statusCode) ?? 0) + 1);
    if (verb !== 'watch') took((this.#clock.now() - receivedAt) / 1000);
  }

  #firstOf(key: string, info: Exchange['info']): Alike {
    const full = this.#alike.size >= mostSeries;
    const known = full ? this.#alike.get(others) : undefined;
    if (known) return known;
    const none = { verb: '', group: '', version: '', resource: '', subresource: '' };
    const { verb, group, version, resource, subresource } = full ? none : info;
    const labels = { verb: verb.toUpperCase(), group, version, resource, subresource };
    const alike = { labels, counts: new Map(), took: this.#durations.of(labels) };
    this.#alike.set(full ? others : key, alike);
    return alike;
  }

  /** Shows a histogram that another part keeps. */
  addHistogram(source: HistogramSource): void {
    this.#histograms.push(source);
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
    const { registry } = await this.#load();
    registry.resetMetrics();
    this.#alike.clear();
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
      this.#instruments = this.#makeInstruments(library);
      for (const source of this.#gauges) addGauge(library, this.#instruments.registry, source);
      return this.#instruments;
    });
    return this.#loading;
  }

  #makeInstruments(library: Instruments['library']): Instruments {
    const registry = new library.Registry();
    const registers = [registry];
    const requests: Counter = new library.Counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, resource and HTTP code.',
      labelNames: [...labelNames, 'code'],
      registers,
      collect: () => {
        requests.reset();
        for (const { labels, counts } of this.#alike.values()) {
          for (const [code, count] of counts) requests.inc({ ...labels, code }, count);
        }
      },
    });
    // The library asks for no more than the source has, but takes only its own by type.
    for (const source of this.#histograms) registry.registerMetric(source as never);
    for (const metric of ofProcess(library).getMetricsAsArray()) registry.registerMetric(metric as never);
    return { registry, library };
  }
}

/**
 * What is measured of the process, once for all of its servers: that goes on for as long as the process, and would keep
 * every server for which it was begun.
 */
function ofProcess(library: Instruments['library']): Registry {
  if (!measured) {
    measured = new library.Registry();
    library.collectDefaultMetrics({ register: measured });
  }
  return measured;
}

let measured: Registry | undefined;

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
