import { bringing, itself, type Loop, type Read, type Reconciler } from '../runtime/controller.ts';
import { type KubeObject, keyOf, namespaceOf } from '../runtime/kube-object.ts';
import {
  configMaps,
  deployments,
  jobs,
  persistentVolumeClaims,
  pods,
  type Resource,
  replicaSets,
  resourceQuotas,
  secrets,
  serviceAccounts,
  services,
} from '../runtime/resources.ts';
import { isSameAmount, usageOf } from './plan.ts';

/** The kinds that quotas count here. */
const counted: readonly Resource[] = [
  configMaps,
  deployments,
  jobs,
  persistentVolumeClaims,
  pods,
  replicaSets,
  secrets,
  serviceAccounts,
  services,
] as readonly Resource[];

const byName = new Map(
  counted.map((resource) => [resource.group ? `${resource.plural}.${resource.group}` : resource.plural, resource]),
);

/** Writes into the status of a quota what it limits and how much of that is used. */
const reconcile: Reconciler = async ({ key, read, write }) => {
  const quota = read(resourceQuotas).find(key);
  if (!quota) return undefined;
  const namespace = namespaceOf(quota);
  const used = usageOf(quota, {
    pods: read(pods).in(namespace),
    services: read(services).in(namespace),
    claims: read(persistentVolumeClaims).in(namespace),
    count: (name) => {
      const resource = byName.get(name);
      return resource && read(resource).in(namespace).length;
    },
  });
  const hard = quota.spec?.hard ?? {};
  if (isSameAmount(quota.status?.used, used) && isSameAmount(quota.status?.hard, hard)) return undefined;
  await write(resourceQuotas).replace(quota, { ...quota, status: { hard, used } }, 'status');
  return undefined;
};

const quotasBeside = (object: KubeObject, read: Read): readonly string[] =>
  read(resourceQuotas).in(namespaceOf(object)).map(keyOf);

export const resourceQuotaLoops: readonly Loop[] = [
  {
    name: 'resourcequota',
    watches: [itself(resourceQuotas), ...counted.map((resource) => bringing(resource, quotasBeside))],
    concurrency: 5,
    reconcile,
  },
];
