import { replicaLoop } from '../replica-set/reconcile.ts';
import type { Loop } from '../runtime/controller.ts';
import type { Family } from '../runtime/ownership.ts';
import { type Pod, pods, type ReplicationController, replicationControllers } from '../runtime/resources.ts';

/** The older form of a ReplicaSet: the same in all but its selector, which is a plain map. */
const family: Family<ReplicationController, Pod> = {
  owners: replicationControllers,
  children: pods,
  // The server fills a missing selector in from the template; one that is empty all the same must not fit everything.
  selector: ({ spec }) =>
    Object.keys(spec?.selector ?? {}).length > 0 ? { matchLabels: spec?.selector ?? {} } : undefined,
};

export const replicationControllerLoops: readonly Loop[] = [replicaLoop('replicationcontroller', family)];
