import type { ObjectMeta } from '../base/kube-object.ts';
import type { DeleteOptions } from './options.ts';
import type { Resource } from './resource.ts';

/** The finalizers that the propagation policy leaves (facts of rule `deletion.finalizers`). */
export function finalizersAfter(resource: Resource, metadata: ObjectMeta, options: DeleteOptions): string[] {
  const current = metadata.finalizers ?? [];
  const policy = policyOf(resource, options, current);
  if (!policy) return [...current];
  const others = current.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion');
  if (policy === 'Background') return others;
  const wanted = policy === 'Orphan' ? 'orphan' : 'foregroundDeletion';
  const unwanted = policy === 'Orphan' ? 'foregroundDeletion' : 'orphan';
  return current.includes(wanted) ? current.filter((name) => name !== unwanted) : [...others, wanted];
}

function policyOf(
  resource: Resource,
  { propagationPolicy, orphanDependents }: DeleteOptions,
  finalizers: readonly string[],
) {
  if (resource.rules.withoutDependents) return 'Background';
  if (propagationPolicy) return propagationPolicy;
  if (orphanDependents !== undefined) return orphanDependents ? 'Orphan' : 'Background';
  // What an earlier delete asked for stands.
  if (finalizers.includes('orphan') || finalizers.includes('foregroundDeletion')) return undefined;
  return resource.rules.orphansDependents ? 'Orphan' : undefined;
}
