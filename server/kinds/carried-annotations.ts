import type { KubeObject, ObjectMeta } from '../base/kube-object.ts';
import { generationAnnotation } from './apps/daemon-set.ts';
import { rollbackAnnotation } from './apps/rollback.ts';
import { carriedFields } from './autoscaling/autoscaler-v1.ts';

/** Annotations in which a version of a kind carries what is no annotation of the object itself. */
const carried: ReadonlyMap<string, { readonly apiVersion: string; readonly names: readonly string[] }> = new Map([
  ['DaemonSet', { apiVersion: 'apps/v1', names: [generationAnnotation] }],
  ['Deployment', { apiVersion: 'apps/v1', names: [rollbackAnnotation] }],
  ['HorizontalPodAutoscaler', { apiVersion: 'autoscaling/v1', names: Object.values(carriedFields) }],
]);

/** The metadata of an object where it is shown alone. */
export function ownMetadata({ kind, apiVersion, metadata }: KubeObject): ObjectMeta {
  const found = carried.get(kind);
  const { annotations } = metadata;
  if (!found || !annotations || found.apiVersion !== apiVersion) return metadata;
  const own = Object.entries(annotations).filter(([name]) => !found.names.includes(name));
  const { annotations: _, ...rest } = metadata;
  return own.length > 0 ? { ...metadata, annotations: Object.fromEntries(own) } : rest;
}
