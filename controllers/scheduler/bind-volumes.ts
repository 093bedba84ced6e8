import { keep } from '../persistent-volume-binder/claims.ts';
import { classOf, selectedNodeAnnotation } from '../persistent-volume-binder/plan.ts';
import { claimsOf } from '../protection/plan.ts';
import type { Read, Request } from '../runtime/controller.ts';
import { keyFor, namespaceOf } from '../runtime/kube-object.ts';
import { nodes, type Pod, persistentVolumeClaims, persistentVolumes, storageClasses } from '../runtime/resources.ts';
import { provisionsOn, type Volumes } from './volumes.ts';

/** What there is of the claims that a pod uses, and of volumes. */
export function volumesFor(pod: Pod, read: Read): Volumes {
  const claims = claimsOf(pod).map((name) => {
    const claim = read(persistentVolumeClaims).find(keyFor(namespaceOf(pod), name));
    return { name, claim, storageClass: claim && read(storageClasses).find(classOf(claim)) };
  });
  return { claims, all: claims.length > 0 ? read(persistentVolumes).all() : [] };
}

/** Keeps a volume for each claim, or asks for one that is reached from the node. The binder, or who makes it, does the rest. */
export async function provide({ read, write }: Request, volumes: Volumes, name: string): Promise<undefined> {
  const node = read(nodes).find(name);
  const annotations = { [selectedNodeAnnotation]: name };
  for (const { claim, volume } of (node && provisionsOn(node, volumes)) ?? []) {
    if (volume) await keep(write, volume, claim);
    else await write(persistentVolumeClaims).patch(claim, { metadata: { annotations } });
  }
}
