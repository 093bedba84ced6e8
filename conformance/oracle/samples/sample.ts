import type { Json } from '../../verbs/client.ts';
import { apiVersionOf, type OracleKind } from '../oracle-kind.ts';
import { clusterSamples } from './cluster-samples.ts';
import { customSamples } from './custom-samples.ts';
import { namespacedSamples } from './namespaced-samples.ts';
import { workloadSamples } from './workload-samples.ts';

/** What the generators know of a kind. */
export interface Sample {
  /** What an object has beside type and metadata, with as many fields as a server accepts at once. */
  readonly parts: Json;
  /** A merge patch that changes something of what it asks for. Without one its labels are changed. */
  readonly change?: Json;
  /** A merge patch of its status. */
  readonly status?: Json;
  /** Its name, where not every name will do. It holds `<own>` where the kind knows no namespaces. */
  readonly name?: string;
  /** Touches all of a cluster: tried for real only where that was allowed. */
  readonly clusterWide?: boolean;
  /** Controllers act on it. */
  readonly controlled?: boolean;
}

const samples: Readonly<Record<string, Sample>> = {
  ...namespacedSamples,
  ...workloadSamples,
  ...clusterSamples,
  ...customSamples,
};

/** Undefined for a kind that nobody wrote down. */
export const sampleOf = ({ kind, group, version }: OracleKind): Sample | undefined =>
  samples[`${kind}.${group}`] ?? samples[`${kind}.${version}`] ?? samples[kind];

/** The name of the object `word` of a kind. Names of what is in no namespace hold `<own>`. */
export function nameOf(kind: OracleKind, word: string): string {
  const given = sampleOf(kind)?.name;
  if (given) return given.replace('WORD', word);
  return kind.namespaced ? word : `<own>-${word}`;
}

export const runLabel = { 'touchstone/rule': 'true' };

/** An object that both servers should accept. */
export function objectOf(kind: OracleKind, word: string, labels: Json = {}): Json {
  const parts = sampleOf(kind)?.parts ?? {};
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name: nameOf(kind, word), labels: { ...(kind.namespaced ? {} : runLabel), app: '<own>', ...labels } },
    ...JSON.parse(JSON.stringify(parts).replaceAll('NAME', word)),
  };
}
