import { join } from 'node:path';
import { claimRefOf, provisionedByAnnotation, waitsForNode } from '../persistent-volume-binder/plan.ts';
import { annotationOf, isDeleting, nameOf, uidOf } from '../runtime/kube-object.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../runtime/resources.ts';

/** Who makes volumes of a class. */
export const provisioner = 'touchstone.example/directory';
const defaultAnnotation = 'storageclass.kubernetes.io/is-default-class';

/** The class whose claims get a folder, which is the default while there is no other. */
export const directoryClass = (others: readonly StorageClass[]): StorageClass => ({
  metadata: {
    name: 'directory',
    annotations: {
      [defaultAnnotation]: String(!others.some((each) => annotationOf(each, defaultAnnotation) === 'true')),
    },
  },
  provisioner,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
});

/** The volume to make for a claim; undefined when none is wanted. */
export function volumeFor(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
  folder: string,
): PersistentVolume | undefined {
  const { spec = {}, status } = claim;
  if (storageClass?.provisioner !== provisioner || isDeleting(claim)) return undefined;
  if (spec.volumeName || status?.phase === 'Bound' || spec.selector || spec.volumeMode === 'Block') return undefined;
  if (waitsForNode(claim, storageClass)) return undefined;
  const name = `pvc-${uidOf(claim)}`;
  const storage = spec.resources?.requests?.['storage'] ?? '1Gi';
  return {
    metadata: { name, annotations: { [provisionedByAnnotation]: provisioner } },
    spec: {
      capacity: { storage },
      accessModes: spec.accessModes ?? ['ReadWriteOnce'],
      storageClassName: nameOf(storageClass),
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      hostPath: { path: join(folder, name), type: 'DirectoryOrCreate' },
      claimRef: claimRefOf(claim),
    },
  };
}

/** The folder of a volume that was made here and is wanted no more; undefined for all others. */
export function folderToRemove(volume: PersistentVolume, folder: string): string | undefined {
  const { spec, status } = volume;
  const own = join(folder, nameOf(volume));
  const isOurs = annotationOf(volume, provisionedByAnnotation) === provisioner && spec?.hostPath?.path === own;
  const isWanted = status?.phase !== 'Released' || spec?.persistentVolumeReclaimPolicy !== 'Delete';
  return isOurs && !isWanted ? own : undefined;
}
