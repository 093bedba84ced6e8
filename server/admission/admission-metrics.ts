import type { Histogram, Registry } from 'prom-client';
import type { AdmissionAttributes } from './admission.ts';
import type { Instruments } from './webhooks/webhook-metrics.ts';

type Library = typeof import('prom-client');

const labelNames = ['type', 'operation', 'rejected'] as const;
const buckets = [0.005, 0.025, 0.1, 0.5, 1.0, 2.5];

/** Notes how many seconds one judgement took. */
export type Note = (operation: AdmissionAttributes['operation'], rejected: boolean, seconds: number) => void;

type Histograms = ReturnType<typeof makeInstruments>;

/** What the server measures of admission: each plugin, and each of the two passes as a whole. */
export class AdmissionMetrics {
  readonly #use: (act: (made: Histograms) => void) => void;

  constructor(instruments: Instruments) {
    this.#use = instruments.count(makeInstruments);
  }

  plugin(name: string, type: 'admit' | 'validate'): Note {
    return this.#noteIn('plugins', { name, type });
  }

  /** A whole pass. */
  step(type: 'admit' | 'validate'): Note {
    return this.#noteIn('steps', { type });
  }

  /** Notes in a histogram, whose series are looked up once. */
  #noteIn(which: keyof Histograms, labels: Readonly<Record<string, string>>): Note {
    const series = new Map<string, Histogram.Internal<string>>();
    return (operation, rejected, seconds) => {
      const key = rejected ? `${operation} rejected` : operation;
      const found = series.get(key);
      if (found) return found.observe(seconds);
      this.#use((made) => {
        const added = made[which].labels({ ...labels, operation, rejected: String(rejected) });
        series.set(key, added);
        added.observe(seconds);
      });
    };
  }
}

function makeInstruments({ Histogram }: Library, registry: Registry) {
  const registers = [registry];
  return {
    plugins: new Histogram({
      name: 'apiserver_admission_controller_admission_duration_seconds',
      help: 'Time that one admission plugin took.',
      labelNames: ['name', ...labelNames],
      buckets,
      registers,
    }),
    steps: new Histogram({
      name: 'apiserver_admission_step_admission_duration_seconds',
      help: 'Time that all plugins took together to change an object, or to validate it.',
      labelNames: [...labelNames],
      buckets,
      registers,
    }),
  };
}
