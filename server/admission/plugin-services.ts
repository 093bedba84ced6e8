import type { Authorizer } from '../authz/authorizer.ts';
import type { Ids } from '../base/ids.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { Clock } from '../base/time/clock.ts';
import type { LimitRange } from '../kinds/core/limit-range.ts';
import type { ResourceQuota } from '../kinds/core/resource-quota.ts';
import type { RuntimeClass } from '../kinds/node/runtime-class.ts';
import type { PriorityClass } from '../kinds/scheduling/priority-class.ts';
import type { Lookup } from '../kinds/strategy.ts';
import type { Resources } from '../registry/resources.ts';
import type { Store } from '../store/store.ts';
import type { PluginConfiguration } from './admission-configuration.ts';
import { FollowedObjects } from './followed-objects.ts';
import type { AdmissionOptions } from './options.ts';

/** What built-in plugins work with; each takes what it needs. */
export interface PluginServices {
  readonly options: AdmissionOptions;
  readonly store: Store;
  readonly lookup: Lookup;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly authorizer: Authorizer;
  readonly resources: Pick<Resources, 'all'>;
  readonly followed: FollowedKinds;
  /** What the file of `--admission-control-config-file` says to each plugin, by name. */
  readonly configurations: ReadonlyMap<string, PluginConfiguration>;
}

/** The kinds that decide about other objects so often that they are kept at hand. */
export interface FollowedKinds {
  readonly namespaces: FollowedObjects;
  readonly limitRanges: FollowedObjects<LimitRange>;
  readonly resourceQuotas: FollowedObjects<ResourceQuota>;
  readonly priorityClasses: FollowedObjects<PriorityClass>;
  readonly runtimeClasses: FollowedObjects<RuntimeClass>;
  readonly storageClasses: FollowedObjects<StorageClass>;
  readonly ingressClasses: FollowedObjects;
}

export interface StorageClass extends KubeObject {
  allowVolumeExpansion?: boolean;
}

/** The kinds, empty as long as they do not follow a store. */
export const followedKinds = (): FollowedKinds => ({
  namespaces: new FollowedObjects('', 'namespaces'),
  limitRanges: new FollowedObjects('', 'limitranges'),
  resourceQuotas: new FollowedObjects('', 'resourcequotas'),
  priorityClasses: new FollowedObjects('scheduling.k8s.io', 'priorityclasses'),
  runtimeClasses: new FollowedObjects('node.k8s.io', 'runtimeclasses'),
  storageClasses: new FollowedObjects('storage.k8s.io', 'storageclasses'),
  ingressClasses: new FollowedObjects('networking.k8s.io', 'ingressclasses'),
});

/** Reads the kinds and follows them until what is returned is called. */
export async function followKinds(kinds: FollowedKinds, store: Store): Promise<() => void> {
  const all: readonly FollowedObjects[] = Object.values(kinds);
  await Promise.all(all.map((each) => each.follow(store)));
  return () => {
    for (const each of all) each.stop();
  };
}
