import { bindsLate, freeFor, keptFor, madeByNobody, selectedNodeAnnotation } from '../persistent-volume-binder/plan.ts';
import { annotationOf, nameOf } from '../runtime/kube-object.ts';
import { fitsAny } from '../runtime/pods/pod-placement.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim, StorageClass } from '../runtime/resources.ts';

/** A claim that a pod uses, by its name, and the class that it asks for: as far as they are there. */
export interface Claim {
  readonly name: string;
  readonly claim?: PersistentVolumeClaim | undefined;
  readonly storageClass?: StorageClass | undefined;
}

/** A claim without a volume whose class waits for a pod: where its volume is, the node of the pod decides. */
type LateClaim = Required<{ readonly [part in keyof Claim]: NonNullable<Claim[part]> }>;

/** What decides about the claims of a pod on a node. */
export interface Volumes {
  readonly claims: readonly Claim[];
  /** All that there are, whosesoever. */
  readonly all: readonly PersistentVolume[];
}

/** What is to be done for a claim before its pod goes to the node: to keep this volume for it, or without one to ask for one. */
interface Provision {
  readonly claim: PersistentVolumeClaim;
  readonly volume?: PersistentVolume;
}

/** Whether a claim gets its volume only once its pod has a node. */
export const isLate = (each: Claim): each is LateClaim =>
  each.claim !== undefined &&
  bindsLate(each.storageClass) &&
  !each.claim.spec?.volumeName &&
  each.claim.status?.phase !== 'Bound';

/** Why the volumes of a pod keep it from the node; undefined when they do not. */
export function volumeObjection(volumes: Volumes, node: Node): string | undefined {
  const names = new Set(volumes.claims.map(({ claim }) => claim?.spec?.volumeName));
  const own = volumes.all.filter((volume) => names.has(nameOf(volume)));
  if (!own.every((volume) => isReached(volume, node))) return 'node(s) had volume node affinity conflict';
  return provisionsOn(node, volumes) ? undefined : "node(s) didn't find available persistent volumes to bind";
}

/** What late claims need on a node; undefined where they cannot have it. One for which a node was selected has that one alone. */
export function provisionsOn(node: Node, { claims, all }: Volumes): readonly Provision[] | undefined {
  const near = all.filter((volume) => isReached(volume, node));
  const provisions: Provision[] = [];
  for (const { claim, storageClass } of claims.filter(isLate)) {
    const selected = annotationOf(claim, selectedNodeAnnotation);
    const kept = keptFor(claim, all);
    if (selected !== undefined ? selected !== nameOf(node) : kept && !near.includes(kept)) return undefined;
    if (selected !== undefined || kept) continue;
    const volume = freeFor(claim, near).find((each) => !provisions.some((other) => other.volume === each));
    if (!volume && !isMadeOn(node, storageClass)) return undefined;
    provisions.push({ claim, ...(volume && { volume }) });
  }
  return provisions;
}

const isReached = ({ spec }: PersistentVolume, node: Node): boolean => {
  const required = spec?.nodeAffinity?.required;
  return !required || fitsAny(required.nodeSelectorTerms, node);
};

/** Whether somebody makes volumes of the class where the node is. */
function isMadeOn(node: Node, { provisioner, allowedTopologies }: StorageClass): boolean {
  if (provisioner === madeByNobody) return false;
  const terms = (allowedTopologies ?? []).map(({ matchLabelExpressions = [] }) => ({
    matchExpressions: matchLabelExpressions.map(({ key, values }) => ({ key, operator: 'In', values })),
  }));
  return terms.length === 0 || fitsAny(terms, node);
}
