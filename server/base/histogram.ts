type Labels = Readonly<Record<string, string>>;

/** Notes one duration, in seconds. */
export type NoteDuration = (seconds: number) => void;

interface Series {
  readonly labels: Labels;
  /** How many fell between two bounds; the last: above all of them. */
  readonly counts: number[];
  sum: number;
}

/** What a library of metrics asks of a histogram when somebody looks at it. */
export interface HistogramSource {
  readonly name: string;
  readonly help: string;
  readonly type: 'histogram';
  get(): Promise<{ readonly values: readonly object[] }>;
  /** Everything is counted from nothing again. */
  reset(): void;
}

/** How long things took, as a histogram: plain numbers until somebody looks, since every request adds to it. */
export class Histogram implements HistogramSource {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  /** @param bounds of the buckets, in seconds, ascending */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
  }

  /** The series of these labels, which is told once something was noted in it. */
  of(labels: Labels): NoteDuration {
    const bounds = this.#bounds;
    const key = JSON.stringify(labels);
    const series: Series = this.#series.get(key) ?? { labels, counts: [...bounds, 0].map(() => 0), sum: 0 };
    this.#series.set(key, series);
    return (seconds) => {
      let at = 0;
      while (seconds > (bounds[at] ?? Number.POSITIVE_INFINITY)) at++;
      series.counts[at] = (series.counts[at] ?? 0) + 1;
      series.sum += seconds;
    };
  }

  async get() {
    const { name, help, type } = this;
    return {
      name,
      help,
      type,
      aggregator: 'sum',
      values: [...this.#series.values()].flatMap((series) => this.#valuesOf(series)),
    };
  }

  reset(): void {
    for (const series of this.#series.values()) {
      series.counts.fill(0);
      series.sum = 0;
    }
  }

  #valuesOf({ labels, counts, sum }: Series): object[] {
    const { name } = this;
    if (counts.every((count) => count === 0)) return [];
    let count = 0;
    const buckets = counts.map((more, at) => {
      count += more;
      return { metricName: `${name}_bucket`, labels: { le: this.#bounds[at] ?? '+Inf', ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
