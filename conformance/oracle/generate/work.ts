import type { OracleKind } from '../oracle-kind.ts';
import type { Scenario } from '../play/scenario.ts';
import { fieldScenarios } from './fields.ts';
import { heapScenarios } from './heaped.ts';
import { inShares, interleaved, type Share } from './interleave.ts';
import { packedScenarios } from './packed.ts';
import { requestScenarios } from './requests.ts';
import type { KnownKind } from './schema.ts';
import { sequenceScenarios } from './sequences.ts';
import { statusScenarios } from './statuses.ts';
import { changeScenarios, structScenarios } from './structs.ts';
import { tourScenarios } from './tours/tours.ts';

export const generators = ['fields', 'sequences', 'requests', 'rules', 'concurrency'] as const;

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
  /** With what both servers tell of their fields; none where fields are not asked for. */
  readonly known: readonly KnownKind[];
  /** Whether webhooks may be configured and both servers reach them. */
  readonly hooked: boolean;
}

const mostSequences = 1_000_000;

/** How much of all steps each is meant to be: tours reach every verb of every kind, a pack and a heap many values at once. */
const shares = { tours: 15, heaps: 5, fields: 1, structs: 1, packs: 2, requests: 4, sequences: 1 } as const;

export function workOf(
  { seed, steps = 40, sequences = mostSequences, generators: asked = generators }: WorkOptions,
  { kinds, known, hooked }: WorkPlace,
): Iterable<Scenario> {
  const sources: Record<GeneratorName, () => readonly Share[]> = {
    fields: () => [
      { share: shares.heaps, scenarios: heapScenarios(kinds) },
      { share: shares.packs, scenarios: packedScenarios(known, seed) },
      { share: shares.fields, scenarios: fieldScenarios(known, seed) },
      {
        share: shares.structs,
        scenarios: interleaved([changeScenarios(known), structScenarios(known, seed), statusScenarios(known, seed)]),
      },
    ],
    requests: () => [{ share: shares.requests, scenarios: requestScenarios(kinds, seed) }],
    rules: () => [],
    concurrency: () => [],
    sequences: () => [
      { share: shares.tours, scenarios: tourScenarios(kinds, hooked) },
      { share: shares.sequences, scenarios: sequenceScenarios(kinds, seed, steps).take(sequences) },
    ],
  };
  return inShares(asked.flatMap((name) => sources[name]()));
}
