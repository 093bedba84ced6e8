import type { KubeObject } from '../base/kube-object.ts';
import type { SubresourceRules } from './strategy.ts';

/** Gives members the values that they had; one that was not there goes. In place. */
function keep(members: readonly string[], next: KubeObject, previous: KubeObject): void {
  for (const member of members) {
    if (previous[member] === undefined) delete next[member];
    else next[member] = previous[member];
  }
}

/** What a write of status may change: status itself, and metadata. In place. */
export function keepAllButStatus(next: KubeObject, previous: KubeObject): void {
  const open = ['status', 'metadata', 'kind', 'apiVersion'];
  const members = new Set([...Object.keys(previous), ...Object.keys(next)]);
  keep(
    [...members].filter((member) => !open.includes(member)),
    next,
    previous,
  );
}

/** What a write of the object itself may change: all but status. In place. */
export const keepStatus = (next: KubeObject, previous: KubeObject) => keep(['status'], next, previous);

export const keepSpec = (next: KubeObject, previous: KubeObject) => keep(['spec'], next, previous);

/** Metadata is as it was, but for its version and who set what. In place. */
export function keepMetadata(next: KubeObject, previous: KubeObject): void {
  const { resourceVersion, managedFields } = next.metadata;
  next.metadata = {
    ...previous.metadata,
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(managedFields && { managedFields }),
  };
}

type Check<T extends KubeObject> = NonNullable<SubresourceRules<T>['validateUpdate']>;

/** The `status` subresource of a kind whose status is checked. `keeps`: what of metadata is left as it is, too. */
export const checkedStatus = <T extends KubeObject>(
  validateUpdate: Check<T>,
  keeps?: 'labels' | 'metadata',
): SubresourceRules<T> => ({
  prepareUpdate(next, previous) {
    keepAllButStatus(next, previous);
    if (keeps === 'metadata') keepMetadata(next, previous);
    if (keeps !== 'labels') return;
    if (previous.metadata.labels) next.metadata.labels = previous.metadata.labels;
    else delete next.metadata.labels;
  },
  validateUpdate,
  ...(keeps && { unownedFields: ['spec', keeps === 'labels' ? 'metadata.labels' : 'metadata'] }),
});
