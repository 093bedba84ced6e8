import { type Duration, isDuration, millisecondsOf } from '../base/time/movable-clock.ts';
import { parseYaml } from '../base/yaml-text.ts';
import { type Fault, FaultError } from './fault.ts';
import { parseFault, recordOf } from './parse-fault.ts';

/** A step of a scenario: a fault, and how long after the step before it comes. */
export type Step = Fault & { readonly after?: Duration };

/** Faults in their order. The same seed makes the same choices of `chance` and `jitter`. */
export interface Scenario {
  readonly seed?: number;
  readonly steps: readonly Step[];
  /** How often all steps come; 1 unless given. */
  readonly repeat?: number;
}

/** What is to happen, and how many milliseconds after what is before it. */
export interface Cue {
  readonly wait: number;
  readonly fault: Fault;
}

const most = { steps: 1000, cues: 100_000 };
const fields = ['seed', 'steps', 'repeat'];

export const isScenario = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'steps');

/** Reads a scenario that came from outside: all that is to happen, in its order. @throws FaultError */
export function cuesOf(value: unknown): { readonly seed: number | undefined; readonly cues: readonly Cue[] } {
  const given = recordOf(value, 'a scenario');
  for (const field of Object.keys(given))
    if (!fields.includes(field)) throw new FaultError(`a scenario knows no ${field}: ${fields.join(', ')}`);
  const { seed, steps, repeat = 1 } = given;
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > most.steps)
    throw new FaultError(`steps is a list of 1 to ${most.steps} faults`);
  if (seed !== undefined && !Number.isSafeInteger(seed)) throw new FaultError('seed must be a whole number');
  if (!Number.isInteger(repeat) || Number(repeat) < 1 || Number(repeat) * steps.length > most.cues)
    throw new FaultError(`repeat must be a whole number from 1, for at most ${most.cues} steps in all`);
  const once = steps.map(cueOf);
  return { seed: seed as number | undefined, cues: Array.from({ length: Number(repeat) }, () => once).flat() };
}

function cueOf(step: unknown): Cue {
  const { after = 0, ...fault } = recordOf(step, 'a step');
  if (!isDuration(after) || millisecondsOf(after) < 0) throw new FaultError('after must be a duration such as 500ms');
  return { wait: millisecondsOf(after), fault: parseFault(fault) };
}

/** @throws FaultError */
export function readYaml(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    throw new FaultError(`the text is neither JSON nor YAML: ${(error as Error).message}`);
  }
}
