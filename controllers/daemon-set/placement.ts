import { isSelected, tolerates } from '../runtime/pods/pod-placement.ts';
import type { DaemonSet, Node, Pod } from '../runtime/resources.ts';

type PodSpec = NonNullable<Pod['spec']>;
type Toleration = NonNullable<PodSpec['tolerations']>[number];

const whatever = (key: string, effect: string): Toleration => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect,
});

/** Pods of daemons stay and start where others do not: they may be what mends the node. */
const daemonTolerations: readonly Toleration[] = [
  whatever('not-ready', 'NoExecute'),
  whatever('unreachable', 'NoExecute'),
  whatever('disk-pressure', 'NoSchedule'),
  whatever('memory-pressure', 'NoSchedule'),
  whatever('pid-pressure', 'NoSchedule'),
  whatever('unschedulable', 'NoSchedule'),
];
const whereNetworkIsMissing = whatever('network-unavailable', 'NoSchedule');

export function tolerationsOf(spec: Partial<PodSpec> | undefined): Toleration[] {
  const added = spec?.hostNetwork ? [...daemonTolerations, whereNetworkIsMissing] : daemonTolerations;
  const own = spec?.tolerations ?? [];
  const has = ({ key, effect }: Toleration) => own.some((each) => each.key === key && each.effect === effect);
  return [...own, ...added.filter((each) => !has(each))];
}

export interface Suitability {
  /** Whether the node is to have a pod. */
  readonly starts: boolean;
  /** Whether a pod that is there may stay. */
  readonly stays: boolean;
}

export function suitability({ spec }: DaemonSet, node: Node): Suitability {
  const pod = spec?.template?.spec;
  if (!isSelected(pod, node)) return { starts: false, stays: false };
  const tolerations = tolerationsOf(pod);
  const untolerated = (node.spec?.taints ?? []).filter((taint) => !tolerations.some((each) => tolerates(each, taint)));
  return {
    starts: untolerated.every(({ effect }) => effect === 'PreferNoSchedule'),
    stays: untolerated.every(({ effect }) => effect !== 'NoExecute'),
  };
}

/** The node that a pod is bound to, or meant for. */
export function nodeOf({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const field = terms.flatMap(({ matchFields = [] }) => matchFields).find(({ key }) => key === 'metadata.name');
  return field?.values?.[0];
}

/** The affinity of a pod that is meant for one node, in place of what the template requires: the node was chosen by that. */
export const affinityFor = (spec: Partial<PodSpec> | undefined, node: string): NonNullable<PodSpec['affinity']> => ({
  ...spec?.affinity,
  nodeAffinity: {
    ...spec?.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
    },
  },
});
