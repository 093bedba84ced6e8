import type { Features } from '../../strategy.ts';
import type { PodSpec, PodTemplateSpec, TopologySpreadConstraint } from './shape.ts';

/** Fields of pods that belong to features: while a feature is off they are dropped without a word. */

const spreadGates: readonly [gate: string, field: keyof TopologySpreadConstraint][] = [
  ['MinDomainsInPodTopologySpread', 'minDomains'],
  ['NodeInclusionPolicyInPodTopologySpread', 'nodeAffinityPolicy'],
  ['NodeInclusionPolicyInPodTopologySpread', 'nodeTaintsPolicy'],
  ['MatchLabelKeysInPodTopologySpread', 'matchLabelKeys'],
];

/** In place. */
export function dropGatedFields(spec: PodSpec | undefined, features: Features): void {
  if (!spec) return;
  if (!features.enabled('UserNamespacesStatelessPodsSupport')) delete spec.hostUsers;
  for (const constraint of spec.topologySpreadConstraints ?? [])
    for (const [gate, field] of spreadGates) if (!features.enabled(gate)) delete constraint[field];
  if (features.enabled('ProcMountType')) return;
  for (const list of [spec.containers, spec.initContainers, spec.ephemeralContainers])
    for (const { securityContext } of list ?? [])
      if (securityContext?.procMount !== undefined) securityContext.procMount = 'Default';
}

interface Workload {
  spec?: { template?: PodTemplateSpec };
}

/** The hooks of a kind that makes pods from a template and prepares nothing else. */
export const gatedTemplate = {
  prepareCreate: ({ spec }: Workload, { features }: { features: Features }) =>
    dropGatedFields(spec?.template?.spec, features),
  prepareUpdate: ({ spec }: Workload, _previous: Workload, { features }: { features: Features }) =>
    dropGatedFields(spec?.template?.spec, features),
};
