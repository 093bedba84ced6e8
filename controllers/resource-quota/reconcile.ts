import { bringing, itself, type Loop, type Read, type Reconciler } from '../runtime/controller.ts';
import { type KubeObject, keyOf, namespaceOf } from '../runtime/kube-object.ts';
import { persistentVolumeClaims, pods, type ResourceQuota, resourceQuotas, services } from '../runtime/resources.ts';
import type { Surroundings } from '../runtime/run-loop.ts';
import { Counts } from './counts.ts';
import { countedKind, isSameAmount, usageOf } from './plan.ts';

/** How often a quota is looked at that names a kind which nobody serves yet, and one whose pods may run out of grace. */
const lookAgainAfter = 10_000;

/** Writes into the status of a quota what it limits and how much of that is used. */
const reconcilerWith =
  (counts: Counts): Reconciler =>
  async ({ key, read, write, clock }) => {
    const quota = read(resourceQuotas).find(key);
    if (!quota) return undefined;
    const namespace = namespaceOf(quota);
    const kinds = kindsOf(quota);
    await counts.follow(kinds);
    const holdings = {
      pods: read(pods).in(namespace),
      services: read(services).in(namespace),
      claims: read(persistentVolumeClaims).in(namespace),
      count: (name: string) => counts.of(name, namespace),
    };
    const used = usageOf(quota, holdings, clock.now());
    const hard = quota.spec?.hard ?? {};
    if (!isSameAmount(quota.status?.used, used) || !isSameAmount(quota.status?.hard, hard)) {
      await write(resourceQuotas).replace(quota, { ...quota, status: { hard, used } }, 'status');
    }
    const settled = kinds.every((name) => counts.of(name, namespace) !== undefined);
    const leaving = holdings.pods.some(({ metadata }) => metadata?.deletionTimestamp);
    return settled && !leaving ? undefined : lookAgainAfter;
  };

const kindsOf = ({ spec }: ResourceQuota): readonly string[] => [
  ...new Set(Object.keys(spec?.hard ?? {}).flatMap((name) => countedKind(name) ?? [])),
];

const quotasBeside = (object: KubeObject, read: Read): readonly string[] =>
  read(resourceQuotas).in(namespaceOf(object)).map(keyOf);

export function resourceQuotaLoops({ client, informers, clock }: Omit<Surroundings, 'events'>): readonly Loop[] {
  const quotas = informers.of(resourceQuotas).cache;
  let add: (key: string) => void = () => {};
  const changed = (namespace?: string) => {
    for (const quota of namespace === undefined ? quotas.all() : quotas.in(namespace)) add(keyOf(quota));
  };
  return [
    {
      name: 'resourcequota',
      watches: [
        itself(resourceQuotas),
        bringing(pods, quotasBeside),
        bringing(services, quotasBeside),
        bringing(persistentVolumeClaims, quotasBeside),
      ],
      feed: (addKey) => {
        add = addKey;
        return () => {};
      },
      concurrency: 5,
      reconcile: reconcilerWith(new Counts({ client, informers, clock, changed })),
    },
  ];
}
