import type { KubeObject } from '../base/kube-object.ts';
import type { SubresourceRules } from './strategy.ts';

function keepAllBut(members: readonly string[], next: KubeObject, previous: KubeObject): void {
  for (const member of new Set([...Object.keys(previous), ...Object.keys(next)])) {
    if (members.includes(member)) continue;
    if (previous[member] === undefined) delete next[member];
    else next[member] = previous[member];
  }
}

/** What a write of status may change: status itself, and metadata. In place. */
export const keepAllButStatus = (next: KubeObject, previous: KubeObject) =>
  keepAllBut(['status', 'metadata', 'kind', 'apiVersion'], next, previous);

/** What a write of the object itself may change: all but status. In place. */
export function keepStatus(next: KubeObject, previous: KubeObject): void {
  if (previous.status === undefined) delete next.status;
  else next.status = previous.status;
}

type Check<T extends KubeObject> = NonNullable<SubresourceRules<T>['validateUpdate']>;

/**
 * The `status` subresource of a kind whose status is checked. `keepsLabels`: labels are left as they are, too.
 */
export const checkedStatus = <T extends KubeObject>(
  validateUpdate: Check<T>,
  { keepsLabels = false } = {},
): SubresourceRules<T> => ({
  prepareUpdate(next, previous) {
    keepAllButStatus(next, previous);
    if (!keepsLabels) return;
    if (previous.metadata.labels) next.metadata.labels = previous.metadata.labels;
    else delete next.metadata.labels;
  },
  validateUpdate,
  ...(keepsLabels && { unownedFields: ['spec', 'metadata.labels'] }),
});
