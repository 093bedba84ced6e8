import { bringing, itself, type Loop, type Read, type Reconciler } from '../runtime/controller.ts';
import { isDeleting, type KubeObject, keyOf, nameOf, namespaceOf, uidOf, versionOf } from '../runtime/kube-object.ts';
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  persistentVolumeClaims,
  pods,
  type ResourceQuota,
  resourceQuotas,
  services,
} from '../runtime/resources.ts';
import type { Surroundings } from '../runtime/run-loop.ts';
import { Counts, type Defined } from './counts.ts';
import { countedKind, isLower, isSameAmount, usageOf } from './plan.ts';

/**
 * Milliseconds until a quota is looked at again: that names a kind which nobody serves, or one that is about to be; whose
 * pods may run out of grace; whose use seems to fall.
 */
const lookAgainAfter = { unserved: 10_000, defined: 500, leaving: 10_000, falling: 250 };

/** Versions of quotas, by key, whose use was lower at the first look, and when that was. */
type Falling = Map<string, { readonly version: string; readonly since: number }>;

/** Writes into the status of a quota what it limits and how much of that is used. */
export const reconcilerWith =
  (counts: Counts, falling: Falling = new Map()): Reconciler =>
  async ({ key, read, write, clock }) => {
    const quota = read(resourceQuotas).find(key);
    if (!quota) {
      falling.delete(key);
      return void counts.keep(new Set(read(resourceQuotas).all().flatMap(kindsOf)));
    }
    const namespace = namespaceOf(quota);
    const kinds = kindsOf(quota);
    const definitionOf = (name: string) => definedAs(read(customResourceDefinitions).find(name));
    await counts.follow(kinds, definitionOf);
    const holdings = {
      pods: read(pods).in(namespace),
      services: read(services).in(namespace),
      claims: read(persistentVolumeClaims).in(namespace),
      count: (name: string) => counts.of(name, namespace),
    };
    const used = usageOf(quota, holdings, clock.now());
    const hard = quota.spec?.hard ?? {};
    // Admission counts an object before it is stored, so what seems to be gone may only be about to come.
    const wait = isLower(used, quota.status?.used) ? timeToFall(falling, quota, clock.now()) : 0;
    if (wait > 0) return wait;
    falling.delete(key);
    if (!isSameAmount(quota.status?.used, used) || !isSameAmount(quota.status?.hard, hard)) {
      await write(resourceQuotas).replace(quota, { ...quota, status: { hard, used } }, 'status');
    }
    const unserved = kinds.filter((name) => counts.of(name, namespace) === undefined);
    if (unserved.length > 0) return unserved.some(definitionOf) ? lookAgainAfter.defined : lookAgainAfter.unserved;
    return holdings.pods.some(isDeleting) ? lookAgainAfter.leaving : undefined;
  };

/** Milliseconds until a lower use of this version is believed: others of the objects that were counted may come before. */
function timeToFall(falling: Falling, quota: ResourceQuota, now: number): number {
  const [key, version] = [keyOf(quota), versionOf(quota)];
  const known = falling.get(key);
  const since = known?.version === version ? known.since : now;
  falling.set(key, { version, since });
  return since + lookAgainAfter.falling - now;
}

function definedAs(definition: CustomResourceDefinition | undefined): Defined | undefined {
  const isServed = definition?.status?.conditions?.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  if (!definition || !isServed) return undefined;
  const versions = definition.spec.versions.filter(({ served }) => served).map(({ name }) => name);
  return { id: [uidOf(definition), ...versions].join(), versions };
}

const kindsOf = ({ spec }: ResourceQuota): readonly string[] => [
  ...new Set(Object.keys(spec?.hard ?? {}).flatMap((name) => countedKind(name) ?? [])),
];

const quotasBeside = (object: KubeObject, read: Read): readonly string[] =>
  read(resourceQuotas).in(namespaceOf(object)).map(keyOf);

const quotasNaming = (definition: KubeObject, read: Read): readonly string[] =>
  read(resourceQuotas)
    .all()
    .filter((quota) => kindsOf(quota).includes(nameOf(definition)))
    .map(keyOf);

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
        bringing(customResourceDefinitions, quotasNaming),
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
