import { labelsOf, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import { type PodTemplate, podFromTemplate } from '../runtime/pods/pod-from-template.ts';
import { type PersistentVolumeClaim, type Pod, type StatefulSet, statefulSets } from '../runtime/resources.ts';
import { revisionHashLabel } from '../runtime/revisions.ts';

const podNameLabel = 'statefulset.kubernetes.io/pod-name';

/** The number of a pod of the set; undefined for a name that no pod of the set has. */
export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const [, stem, ordinal = ''] = /^(.*)-(0|[1-9]\d{0,8})$/.exec(nameOf(pod)) ?? [];
  return stem === nameOf(set) ? Number(ordinal) : undefined;
}

/** The revision that a pod was made from, by its name. */
export const revisionOf = (pod: Pod): string => labelsOf(pod)[revisionHashLabel] ?? '';

const claimName = (set: StatefulSet, claim: string, ordinal: number) => `${claim}-${nameOf(set)}-${ordinal}`;

/** Whether a claim is one that the set makes for its pods, by its name. */
export const isClaimOf = (set: StatefulSet, claim: PersistentVolumeClaim): boolean =>
  (set.spec?.volumeClaimTemplates ?? []).some((template) => {
    const stem = `${nameOf(template)}-${nameOf(set)}-`;
    return nameOf(claim).startsWith(stem) && /^\d+$/.test(nameOf(claim).slice(stem.length));
  });

/** What a set makes a pod from. */
export interface Mould {
  /** The name of the revision. */
  readonly revision: string;
  readonly template: PodTemplate | undefined;
}

/** The pod of a number: with a name, a host name and claims of its own that stay the same for ever. */
export function podFor(set: StatefulSet, ordinal: number, { revision, template }: Mould): Pod {
  const name = `${nameOf(set)}-${ordinal}`;
  const { metadata, spec } = podFromTemplate(statefulSets, set, template, name);
  const claims = set.spec?.volumeClaimTemplates ?? [];
  const own = new Set(claims.map(nameOf));
  const volumes = [
    ...claims.map((claim) => ({
      name: nameOf(claim),
      persistentVolumeClaim: { claimName: claimName(set, nameOf(claim), ordinal) },
    })),
    ...(spec?.volumes ?? []).filter((volume) => !own.has(volume.name)),
  ];
  return {
    metadata: { ...metadata, labels: { ...metadata?.labels, [podNameLabel]: name, [revisionHashLabel]: revision } },
    spec: {
      ...spec,
      containers: spec?.containers ?? [],
      hostname: name,
      ...(set.spec?.serviceName && { subdomain: set.spec.serviceName }),
      ...(volumes.length > 0 && { volumes }),
    },
  };
}

/** The claims of a number. They outlive their pod and the set, unless the set says otherwise (`claim-retention.ts`). */
export const claimsFor = (set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] =>
  (set.spec?.volumeClaimTemplates ?? []).map(({ metadata, spec }) => ({
    metadata: {
      name: claimName(set, metadata?.name ?? '', ordinal),
      namespace: namespaceOf(set),
      labels: { ...metadata?.labels, ...set.spec?.selector?.matchLabels },
      ...(metadata?.annotations && { annotations: metadata.annotations }),
    },
    ...(spec && { spec }),
  }));
