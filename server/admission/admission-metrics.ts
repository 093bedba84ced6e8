import type { Histogram, Registry } from 'prom-client';
import type { Admission, AdmissionAttributes, AdmissionPlugin } from './admission.ts';
import type { Instruments } from './webhooks/webhook-metrics.ts';

type Library = typeof import('prom-client');

const labelNames = ['type', 'operation', 'rejected'] as const;
const buckets = [0.005, 0.025, 0.1, 0.5, 1.0, 2.5];

/** Notes how long one judgement took. */
type Note = (attributes: AdmissionAttributes, rejected: boolean, seconds: number) => void;

/** Runs `act` and notes how long it took; what is done at once is not waited for. */
function timed<T>(attributes: AdmissionAttributes, note: Note, act: () => T | Promise<T>): T | Promise<T> {
  const start = performance.now();
  const done = (rejected: boolean) => note(attributes, rejected, (performance.now() - start) / 1000);
  let answer: T | Promise<T>;
  try {
    answer = act();
  } catch (error) {
    done(true);
    throw error;
  }
  if (answer instanceof Promise) {
    answer.then(
      () => done(false),
      () => done(true),
    );
  } else done(false);
  return answer;
}

/** A histogram of one plugin and pass; its series are looked up once. */
function noteIn(
  use: (act: (made: Histograms) => void) => void,
  which: 'plugins' | 'steps',
  labels: Readonly<Record<string, string>>,
): Note {
  const series = new Map<string, Histogram.Internal<string>>();
  return ({ operation }, rejected, seconds) =>
    use((made) => {
      const key = `${operation} ${rejected}`;
      let found = series.get(key);
      if (!found) {
        found = made[which].labels({ ...labels, operation, rejected: String(rejected) });
        series.set(key, found);
      }
      found.observe(seconds);
    });
}

type Histograms = ReturnType<typeof makeInstruments>;

/** What the server measures of admission: each plugin, and each of the two passes as a whole. */
export class AdmissionMetrics {
  readonly #use: (act: (made: Histograms) => void) => void;

  constructor(instruments: Instruments) {
    this.#use = instruments.count(makeInstruments);
  }

  /** The same plugin, measured. */
  plugin(plugin: AdmissionPlugin): AdmissionPlugin {
    const { name } = plugin;
    const admit = noteIn(this.#use, 'plugins', { name, type: 'admit' });
    const validate = noteIn(this.#use, 'plugins', { name, type: 'validate' });
    return {
      name,
      handles: (attributes) => plugin.handles(attributes),
      ...(plugin.mutate && {
        mutate: (attributes) => timed(attributes, admit, () => plugin.mutate?.(attributes)),
      }),
      ...(plugin.validate && {
        validate: (attributes) => timed(attributes, validate, () => plugin.validate?.(attributes)),
      }),
    };
  }

  /** The same admission, measured. */
  passes(admission: Admission): Admission {
    const admit = noteIn(this.#use, 'steps', { type: 'admit' });
    const validate = noteIn(this.#use, 'steps', { type: 'validate' });
    return {
      mutate: async (attributes) => timed(attributes, admit, () => admission.mutate(attributes)),
      validate: async (attributes) => timed(attributes, validate, () => admission.validate(attributes)),
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
