import type { Json } from '../../verbs/client.ts';
import { apiVersionOf, type OracleKind } from '../oracle-kind.ts';
import { ownLabels } from '../play/scenario.ts';
import { clusterOtherwise } from './cluster-otherwise.ts';
import { clusterSamples } from './cluster-samples.ts';
import { customSamples } from './custom-samples.ts';
import { namespacedSamples } from './namespaced-samples.ts';
import { networkOtherwise } from './network-otherwise.ts';
import { notedOtherwise } from './noted-otherwise.ts';
import { otherOtherwise } from './other-otherwise.ts';
import type { Otherwise } from './otherwise.ts';
import { ruleOtherwise } from './rule-otherwise.ts';
import type { Sample } from './sample.ts';
import { systemOtherwise } from './system-otherwise.ts';
import { workloadOtherwise } from './workload-otherwise.ts';
import { workloadSamples } from './workload-samples.ts';

const samples: Readonly<Record<string, Sample>> = {
  ...namespacedSamples,
  ...workloadSamples,
  ...clusterSamples,
  ...customSamples,
};

const written: Readonly<Record<string, Otherwise>> = {
  ...workloadOtherwise,
  ...clusterOtherwise,
  ...networkOtherwise,
  ...otherOtherwise,
  ...ruleOtherwise,
  ...systemOtherwise,
};

/** With what means something as a label or an annotation, where it does. */
const otherwise: Readonly<Record<string, Otherwise>> = {
  ...written,
  ...Object.fromEntries(Object.entries(notedOtherwise).map(([kind, noted]) => [kind, withOdd(written[kind], noted)])),
};

function withOdd(known: Otherwise = { states: [], odd: [] }, more: readonly Json[]): Otherwise {
  return { ...known, odd: [...known.odd, ...more] };
}

/** All that is known of each kind, by its name: its sample, and what may be otherwise. */
export const everySaid = (): readonly (readonly [kind: string, said: Json])[] => [
  ...Object.entries(samples),
  ...Object.entries(otherwise).flatMap(([kind, { states, odd, fresh = [], statuses = [] }]) =>
    [...states, ...odd, ...fresh, ...statuses].map((said) => [kind, said] as const),
  ),
];

/** Undefined for a kind of which nobody wrote down how its objects may be otherwise. */
export const otherwiseOf = (kind: OracleKind): Otherwise | undefined => ofKind(otherwise, kind);

const ofKind = <T>(all: Readonly<Record<string, T>>, { kind, group, version }: OracleKind): T | undefined =>
  all[`${kind}.${group}`] ?? all[`${kind}.${version}`] ?? all[kind];

/** Undefined for a kind that nobody wrote down. */
export const sampleOf = (kind: OracleKind): Sample | undefined => ofKind(samples, kind);

/** The name of the object `word` of a kind. Names of what is in no namespace hold `<own>`. */
export function nameOf(kind: OracleKind, word: string): string {
  const given = sampleOf(kind)?.name;
  if (given) return given.replace('WORD', word);
  return kind.namespaced ? word : `<own>-${word}`;
}

/** An object that both servers should accept. */
export function objectOf(kind: OracleKind, word: string, labels: Json = {}): Json {
  const parts = sampleOf(kind)?.parts ?? {};
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name: nameOf(kind, word), labels: { ...(kind.namespaced ? {} : ownLabels), app: '<own>', ...labels } },
    ...JSON.parse(JSON.stringify(parts).replaceAll('NAME', word)),
  };
}
