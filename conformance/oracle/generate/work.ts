import type { Send } from '../../verbs/client.ts';
import type { OracleKind } from '../oracle-kind.ts';
import type { Scenario } from '../play/scenario.ts';
import { fieldScenarios } from './fields.ts';
import { interleaved } from './interleave.ts';
import { requestScenarios } from './requests.ts';
import { knownKinds } from './schema.ts';
import { sequenceScenarios } from './sequences.ts';
import { tourScenarios } from './tours/tours.ts';

export const generators = ['fields', 'sequences', 'requests', 'concurrency'] as const;

export type GeneratorName = (typeof generators)[number];

export interface WorkOptions {
  /** The same seed plays the same work in the same order. */
  readonly seed: number;
  readonly generators?: readonly GeneratorName[];
  /** How many random sequences at most, and how many steps each has. */
  readonly sequences?: number;
  readonly steps?: number;
}

/** What the work is about. */
export interface WorkPlace {
  readonly kinds: readonly OracleKind[];
  /** Both, for what they tell of the fields of kinds. */
  readonly servers: readonly Send[];
  /** Whether webhooks may be configured and both servers reach them. */
  readonly hooked: boolean;
}

const mostSequences = 1_000_000;

/** Two of three scenarios are tours as long as there are any: they reach every verb of every kind. */
export async function workOf(
  { seed, steps = 40, sequences = mostSequences, generators: asked = generators }: WorkOptions,
  { kinds, servers, hooked }: WorkPlace,
): Promise<Iterable<Scenario>> {
  const known = asked.includes('fields') ? await knownKinds(servers, kinds) : [];
  const sources: Record<GeneratorName, () => readonly Iterable<Scenario>[]> = {
    fields: () => [fieldScenarios(known, seed)],
    requests: () => [requestScenarios(kinds, seed)],
    concurrency: () => [],
    sequences: () => [tourScenarios(kinds, hooked), sequenceScenarios(kinds, seed, steps).take(sequences)],
  };
  if (!asked.includes('sequences')) return interleaved(asked.flatMap((name) => sources[name]()));
  const [tours = [], ...others] = ['sequences' as const, ...asked.filter((name) => name !== 'sequences')].flatMap(
    (name) => sources[name](),
  );
  const told = tours[Symbol.iterator]() as IterableIterator<Scenario>;
  return interleaved([told, told, interleaved(others)]);
}
