import { parseQuantity } from '../resource-quota/quantity.ts';
import { annotationOf, isDeleting, labelsOf, nameOf, namespaceOf, uidOf } from '../runtime/kube-object.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../runtime/resources.ts';
import { matches } from '../runtime/selector.ts';

/** On a volume: the binder chose the claim. On a claim: it chose the volume. */
export const boundByAnnotation = 'pv.kubernetes.io/bound-by-controller';
/** On a claim: both sides of the binding were written. */
export const bindCompletedAnnotation = 'pv.kubernetes.io/bind-completed';

/** On a claim: who is to make a volume for it. */
export const provisionerAnnotations: readonly string[] = [
  'volume.beta.kubernetes.io/storage-provisioner',
  'volume.kubernetes.io/storage-provisioner',
];

/** On a claim of a class that waits for a pod: the node of that pod, near which its volume is to be made. */
export const selectedNodeAnnotation = 'volume.kubernetes.io/selected-node';

/** On a volume: who has made it. */
export const provisionedByAnnotation = 'pv.kubernetes.io/provisioned-by';

/** The name of the class that a volume is of, or that a claim asks for; empty where it is none. */
export const classOf = (object: PersistentVolume | PersistentVolumeClaim): string =>
  annotationOf(object, 'volume.beta.kubernetes.io/storage-class') ?? object.spec?.storageClassName ?? '';

const modeOf = ({ spec }: PersistentVolume | PersistentVolumeClaim): string => spec?.volumeMode ?? 'Filesystem';
/** In how many ways it can be used. */
const waysOf = (volume: PersistentVolume) => volume.spec?.accessModes?.length ?? 0;
const sizeOf = (volume: PersistentVolume) => parseQuantity(volume.spec?.capacity?.['storage']);
const requestOf = (claim: PersistentVolumeClaim) => parseQuantity(claim.spec?.resources?.requests?.['storage']);

/** How a volume names the claim that it is kept for. */
export const claimRefOf = (claim: PersistentVolumeClaim) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  namespace: namespaceOf(claim),
  name: nameOf(claim),
  uid: uidOf(claim),
});

/** Whether a volume says that it is for this claim: by name, and by uid once it is bound. */
export function isFor({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { namespace, name, uid } = spec?.claimRef ?? {};
  return namespace === namespaceOf(claim) && name === nameOf(claim) && (!uid || uid === uidOf(claim));
}

/** Whether a claim can live in a volume. */
function suits(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { accessModes = [], selector } = claim.spec ?? {};
  return (
    !isDeleting(volume) &&
    classOf(volume) === classOf(claim) &&
    modeOf(volume) === modeOf(claim) &&
    sizeOf(volume) >= requestOf(claim) &&
    accessModes.every((mode) => volume.spec?.accessModes?.includes(mode)) &&
    (!selector || matches(selector, labelsOf(volume)))
  );
}

interface Wait {
  readonly do: 'wait';
  readonly type?: 'Warning';
  readonly reason: string;
  readonly note: string;
  /** Who may make the volume: they look for their name on the claim. */
  readonly provisioner?: string;
}

export type ClaimPlan =
  | { readonly do: 'nothing' }
  /** Nothing suits: the claim waits for a volume, or for a pod that uses it. */
  | Wait
  | { readonly do: 'bind'; readonly volume: PersistentVolume }
  /** The volume of a bound claim is gone, or is another's. */
  | { readonly do: 'lose'; readonly note: string };

interface Asked {
  /** The class that the claim asks for, if it is there. */
  readonly storageClass: StorageClass | undefined;
  /** Names of pods that use the claim and have no node yet. */
  readonly unscheduled: readonly string[];
}

/** Whether volumes of a class are chosen or made only once the node of a pod is known: by the scheduler, which knows it. */
export const bindsLate = (storageClass: StorageClass | undefined): boolean =>
  storageClass?.volumeBindingMode === 'WaitForFirstConsumer';

/** Whether a claim is to wait until a pod that uses it has a node. */
export const waitsForNode = (claim: PersistentVolumeClaim, storageClass: StorageClass | undefined): boolean =>
  bindsLate(storageClass) && annotationOf(claim, selectedNodeAnnotation) === undefined;

/** The volume that is kept for the claim. */
export const keptFor = (claim: PersistentVolumeClaim, volumes: readonly PersistentVolume[]) =>
  volumes.find((volume) => volume.spec?.claimRef && isFor(volume, claim) && suits(volume, claim));

/** Volumes that the claim may take, the closest to what it asks for first. */
export const freeFor = (claim: PersistentVolumeClaim, volumes: readonly PersistentVolume[]) =>
  volumes.filter((volume) => !volume.spec?.claimRef && suits(volume, claim)).sort(closestFirst);

export function planClaim(claim: PersistentVolumeClaim, volumes: readonly PersistentVolume[], asked: Asked): ClaimPlan {
  if (isDeleting(claim)) return { do: 'nothing' };
  const wanted = claim.spec?.volumeName;
  if (wanted) return planNamed(claim, wanted, volumes);
  const { storageClass, unscheduled } = asked;
  const kept = keptFor(claim, volumes);
  if (kept) return { do: 'bind', volume: kept };
  if (waitsForNode(claim, storageClass)) return waitForPod(unscheduled);
  const [free] = bindsLate(storageClass) ? [] : freeFor(claim, volumes);
  return free ? { do: 'bind', volume: free } : waitForVolume(claim, storageClass);
}

/** Nobody uses the claim, or who does has no node yet. */
function waitForPod(unscheduled: readonly string[]): Wait {
  const [pod, ...others] = unscheduled;
  if (pod === undefined)
    return {
      do: 'wait',
      reason: 'WaitForFirstConsumer',
      note: 'waiting for first consumer to be created before binding',
    };
  const note = `waiting for ${others.length > 0 ? 'pods' : 'pod'} ${unscheduled.join(',')} to be scheduled`;
  return { do: 'wait', reason: 'WaitForPodScheduled', note };
}

/** Provisioner of classes whose volumes are made by hand. */
export const madeByNobody = 'kubernetes.io/no-provisioner';

/** Nothing that is there suits: who may make a volume. */
function waitForVolume(claim: PersistentVolumeClaim, storageClass: StorageClass | undefined): Wait {
  const name = classOf(claim);
  if (name && !storageClass) {
    const note = `storageclass.storage.k8s.io "${name}" not found`;
    return { do: 'wait', type: 'Warning', reason: 'ProvisioningFailed', note };
  }
  const { provisioner = madeByNobody } = storageClass ?? {};
  if (provisioner === madeByNobody)
    return { do: 'wait', reason: 'FailedBinding', note: 'no persistent volumes available for this claim' };
  const note = `waiting for a volume that ${provisioner} or somebody by hand is to make`;
  return { do: 'wait', reason: 'ExternalProvisioning', note, provisioner };
}

/** What to do for a claim that names its volume: it was bound to it, or somebody has chosen it. */
function planNamed(claim: PersistentVolumeClaim, wanted: string, volumes: readonly PersistentVolume[]): ClaimPlan {
  const bound = annotationOf(claim, bindCompletedAnnotation) !== undefined;
  const volume = volumes.find((each) => nameOf(each) === wanted);
  if (volume && !volume.spec?.claimRef && !bound && !suits(volume, claim)) {
    const note = `Cannot bind to requested volume "${wanted}": it is not what the claim asks for`;
    return { do: 'wait', reason: 'VolumeMismatch', note };
  }
  if (volume && (!volume.spec?.claimRef || isFor(volume, claim))) return { do: 'bind', volume };
  if (bound) return { do: 'lose', note: `the volume ${wanted} is ${volume ? 'bound to another claim' : 'gone'}` };
  return { do: 'wait', reason: 'FailedBinding', note: `the volume ${wanted} is not there, or is another claim's` };
}

/** What can be used in the fewest ways is closest to what is asked for, and of those what is smallest. */
function closestFirst(a: PersistentVolume, b: PersistentVolume): number {
  const more = waysOf(a) - waysOf(b);
  if (more !== 0) return more;
  const difference = sizeOf(a) - sizeOf(b);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

type Phase = 'Available' | 'Bound' | 'Released' | 'Failed';

/** The phase of a volume, and why. @param claim the claim of its `claimRef`, if it is there */
export function phaseOf(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim | undefined,
): { readonly phase: Phase; readonly message?: string } {
  const { spec } = volume;
  const reference = spec?.claimRef;
  if (!reference?.uid) return { phase: 'Available' };
  if (claim && uidOf(claim) === reference.uid) return { phase: 'Bound' };
  // Who has made a volume deletes it once it is released.
  const hasMaker = annotationOf(volume, provisionedByAnnotation) !== undefined;
  if (hasMaker || spec?.persistentVolumeReclaimPolicy !== 'Delete') return { phase: 'Released' };
  return { phase: 'Failed', message: 'nobody here can delete what the volume stands for' };
}
