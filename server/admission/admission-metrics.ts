import { Histogram, type NoteDuration } from '../base/histogram.ts';
import type { AdmissionAttributes } from './admission.ts';

const bounds = [0.005, 0.025, 0.1, 0.5, 1.0, 2.5];

/** Where is noted how many seconds a judgement took, by what came of it. */
export interface Notes {
  readonly admitted: NoteDuration;
  readonly rejected: NoteDuration;
}

type Operation = AdmissionAttributes['operation'];
type Type = 'admit' | 'validate';

/** What the server measures of admission: each plugin, and each of the two passes as a whole. */
export class AdmissionMetrics {
  readonly plugins = new Histogram(
    'apiserver_admission_controller_admission_duration_seconds',
    'Time that one admission plugin took.',
    bounds,
  );
  readonly steps = new Histogram(
    'apiserver_admission_step_admission_duration_seconds',
    'Time that all plugins took together to change an object, or to validate it.',
    bounds,
  );

  plugin(name: string, type: Type, operation: Operation): Notes {
    return notesIn(this.plugins, { name, type, operation });
  }

  /** A whole pass. */
  step(type: Type, operation: Operation): Notes {
    return notesIn(this.steps, { type, operation });
  }
}

const notesIn = (histogram: Histogram, labels: Readonly<Record<string, string>>): Notes => ({
  admitted: histogram.of({ ...labels, rejected: 'false' }),
  rejected: histogram.of({ ...labels, rejected: 'true' }),
});
