import { boundClaim, room } from '../../checks/pods/grown-claims.ts';
import { type Hard, type PodQuota, podQuotas } from '../../checks/pods/pod-quotas.ts';
import { needsClasses } from '../../checks/pods/urgent-pods.ts';
import { defineRule } from '../../rule.ts';
import { storesRefused } from '../../sabotage/careless.ts';
import { answerStatus, loseWrite } from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { leasedType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { preparePods } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';

/** Ways to allow one object: a quota can count Secrets in two. */
const ones = {
  secrets: { of: 'secrets', hard: { secrets: '1', 'count/secrets': '9' } },
  'count/secrets': { of: 'secrets', hard: { secrets: '9', 'count/secrets': '1' } },
  'the narrowest of several': { of: 'secrets', hard: [{ secrets: '9' }, { secrets: '1' }, { secrets: '9' }] },
  'count/roles': { of: 'roles', hard: { 'count/roles.rbac.authorization.k8s.io': '1' } },
  replicationcontrollers: { of: 'replicationControllers', hard: { replicationcontrollers: '1' } },
  persistentvolumeclaims: { of: 'persistentVolumeClaims', hard: { persistentvolumeclaims: '1' } },
  'count/podtemplates': { of: 'podTemplates', hard: { 'count/podtemplates': '1' } },
  'count/leases': { of: 'leases', hard: { 'count/leases.coordination.k8s.io': '1' } },
} as const;
const countable = Object.keys(ones) as (keyof typeof ones)[];

/** Looks at a quota for which it is left to a controller to fill in its status. */
const looks = 40;

const none = (hard: Hard): Hard => Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));

/**
 * Until the quota says in its status what it says in its spec, and what is used of all that: where no controller writes
 * it, or none that knows a new type already, we do.
 */
async function settled(context: RuleContext, quota: string, hard: Hard, used = none(hard)): Promise<void> {
  const { resourceQuotas, capabilities, waitUntil } = context;
  let left = capabilities.includes('controllers') ? looks : 0;
  const look = async () => {
    left -= 1;
    if (left < 0) await resourceQuotas.patch(quota, { status: { hard, used } }, { sub: 'status' });
    return (await resourceQuotas.get(quota)).body?.status ?? {};
  };
  await waitUntil('the quota counts', look, (told) =>
    Object.keys(hard).every((name) => told.hard?.[name] === hard[name] && told.used?.[name] !== undefined),
  );
}

async function quotaOf(context: RuleContext, hard: Hard, about: Json = {}): Promise<string> {
  const { metadata } = await context.resourceQuotas.create({ spec: { hard, ...about } });
  await settled(context, metadata.name, hard);
  return metadata.name;
}

/**
 * Quotas of which a server is known to have heard: at first they allow nothing. What a server lets in before it has
 * heard of a quota it does not count.
 */
async function knownQuotas(
  context: RuleContext,
  objects: Collection,
  hards: readonly Hard[],
): Promise<ReadonlyMap<string, Hard>> {
  const { resourceQuotas, waitUntil } = context;
  const tried = async (): Promise<number> => (await objects.post(objects.sample(), { dryRun: 'All' })).status;
  const quotas = new Map<string, Hard>();
  for (const hard of hards) quotas.set(await quotaOf(context, none(hard)), hard);
  await waitUntil('an object is beyond the quota', tried, (status) => status === 403);
  for (const [quota, hard] of quotas) {
    await resourceQuotas.merge(quota, { spec: { hard } });
    await settled(context, quota, hard);
  }
  await waitUntil('an object is within the quota, as a dry run shows', tried, (status) => status === 201);
  return quotas;
}

/** Whether what is within a quota is allowed, and what is beyond it refused: before it is known what is used, all is. */
const counts = ([within, beyond]: readonly number[]): boolean => within === 201 && beyond === 403;

/** Quotas of one object. */
async function allowsOne(context: RuleContext, objects: Collection, hards: readonly Hard[]): Promise<void> {
  const { configMaps, resourceQuotas, waitUntil, allHeard, expect } = context;
  const quotas = await knownQuotas(context, objects, hards);
  await allHeard();
  // What was only tried has taken nothing of it.
  await objects.create();
  const second = objects.sample();
  // A trial is judged by what its server has heard of, which may be less than another has counted.
  const tried = async (): Promise<number> => (await objects.post(second, { dryRun: 'All' })).status;
  await waitUntil('a dry run of a second object is refused', tried, (status) => status === 403);
  expect((await objects.post(second)).status, 'a second object').toBe(403);
  const applied = await objects.tryApply(second.metadata.name, second, 'applier');
  expect(applied.status, 'a second object, by an apply').toBe(403);
  expect((await objects.get(second.metadata.name)).status, 'the second object').toBe(404);
  expect((await configMaps.post(configMaps.sample())).status, 'what the quota does not count').toBe(201);
  // Of a namespace without any servers may remember those that were there for half a minute.
  if (quotas.size === 1) return;
  for (const [quota, hard] of quotas) if (Object.values(hard).includes('1')) await resourceQuotas.remove(quota);
  await waitUntil('a second object is allowed once the narrowest quota is gone', tried, (status) => status === 201);
}

/** Objects of a custom type are counted by their name as well. */
async function countsCustom(context: RuleContext): Promise<void> {
  const objects = await leasedType(context, 'Namespaced');
  const { resource, group } = objects.at;
  await allowsOne(context, objects, [{ [`count/${resource}.${group}`]: '1' }]);
}

/** Pods count by what they ask for at a time, and against the quotas alone that are about pods such as they. */
async function countsPods(context: RuleContext, kind: PodQuota): Promise<void> {
  const { pods, resourceQuotas, waitUntil, allHeard, expect } = context;
  const { hard, about, byClass, within, beyond, used } = kind;
  await preparePods(context);
  const rehearsed = (spec: Json) => pods.post(pods.sample({ spec }), { dryRun: 'All' });
  if (byClass) await needsClasses(rehearsed);
  const quota = await quotaOf(context, hard, about);
  const tried = async (spec: Json) => (await rehearsed(spec)).status;
  await waitUntil(
    'a pod within the quota is allowed, and one beyond it is refused',
    async () => [await tried(within), await tried(beyond)],
    counts,
  );
  await allHeard();
  expect((await pods.post(pods.sample({ spec: beyond }))).status, 'a pod beyond it').toBe(403);
  expect((await pods.list()).items, 'what is stored').toEqual([]);
  if (!used) return;
  await pods.create({ spec: { schedulerName: 'touchstone.example/nobody', ...within } });
  const told = async () => (await resourceQuotas.read(quota)).status.used;
  // A controller counts all that the quota is about, and that is more than what is asked here.
  const isSo = (seen: Json): boolean => Object.entries(used).every(([name, amount]) => seen?.[name] === amount);
  await waitUntil('what is used is told in the words of its pod', told, isSo);
}

/** What an object comes to need by a change is counted as what it needs when it is new; what it has already is not. */
async function countsChanges(context: RuleContext): Promise<void> {
  const { services, waitUntil, allHeard, expect } = context;
  await quotaOf(context, { services: '1', 'services.nodeports': '0' });
  const exposed = { spec: { type: 'NodePort' } };
  const rehearsed = async (parts: Json) => (await services.post(services.sample(parts), { dryRun: 'All' })).status;
  await waitUntil(
    'a Service is allowed, and one with ports of the nodes is refused',
    async () => [await rehearsed({}), await rehearsed(exposed)],
    counts,
  );
  await allHeard();
  const object = await services.create();
  const { name } = object.metadata;
  for (const query of [{ dryRun: 'All' }, {}]) {
    expect((await services.put(merged(await services.read(name), exposed), query)).status, 'an update').toBe(403);
    expect((await services.patch(name, exposed, { query })).status, 'a patch').toBe(403);
  }
  expect((await services.read(name)).spec, 'what is stored').toEqual(object.spec);
  const labelled = await services.patch(name, { metadata: { labels: { a: 'b' } } });
  expect(labelled.status, `a change that needs no more: ${said(labelled)}`).toBe(200);
}

/** A Service takes as many ports of the nodes as it has ports. */
async function countsPorts(context: RuleContext): Promise<void> {
  const { services, waitUntil } = context;
  await quotaOf(context, { services: '5', 'services.nodeports': '2' });
  const rehearsed = async (...ports: readonly number[]) => {
    const spec = { type: 'NodePort', ports: ports.map((port) => ({ name: `p${port}`, port })) };
    return (await services.post(services.sample({ spec }), { dryRun: 'All' })).status;
  };
  await waitUntil(
    'a Service with two ports of the nodes is allowed, and one with three is refused',
    async () => [await rehearsed(1, 2), await rehearsed(1, 2, 3)],
    counts,
  );
}

/** A Service that somebody is to balance counts as such beside what it is. */
async function countsBalanced(context: RuleContext): Promise<void> {
  const { services, waitUntil } = context;
  await quotaOf(context, { services: '5', 'services.loadbalancers': '0' });
  const rehearsed = async (spec: Json) => (await services.post(services.sample({ spec }), { dryRun: 'All' })).status;
  await waitUntil(
    'a Service is allowed, and one that is balanced is refused',
    async () => [await rehearsed({ type: 'NodePort' }), await rehearsed({ type: 'LoadBalancer' })],
    counts,
  );
}

/** A claim may come to need more room, and no more than there is left. */
async function countsGrowth(context: RuleContext): Promise<void> {
  const { persistentVolumeClaims: claims, storageClasses, waitUntil, expect } = context;
  const { metadata } = await storageClasses.create({
    provisioner: 'touchstone.example/nobody',
    allowVolumeExpansion: true,
  });
  await quotaOf(context, { [`${metadata.name}.storageclass.storage.k8s.io/requests.storage`]: '2Gi' });
  const claimed = { spec: { storageClassName: metadata.name } };
  const rehearsed = async (storage: string) =>
    (await claims.post(claims.sample(merged(claimed, room(storage))), { dryRun: 'All' })).status;
  await waitUntil(
    'a claim within the quota is allowed, and one beyond it is refused',
    async () => [await rehearsed('1Gi'), await rehearsed('3Gi')],
    counts,
  );
  const name = await boundClaim(context, metadata.name);
  // A controller may find it bound to nothing meanwhile, so that it may not grow at all.
  const grown = await claims.patch(name, room('3Gi'));
  expect(grown.status, `a claim that outgrows the quota: ${said(grown)}`).toBeGreaterThanOrEqual(400);
  expect((await claims.read(name)).spec, 'what is stored').toMatchObject(room('1Gi').spec);
}

/** A quota of which one thing is used up, and more than that, still allows the others. */
async function countsEachApart(context: RuleContext): Promise<void> {
  const { secrets, leases, resourceQuotas, waitUntil } = context;
  await secrets.create();
  const lease = 'count/leases.coordination.k8s.io';
  const hard = { secrets: '0', [lease]: '5' };
  const { metadata } = await resourceQuotas.create({ spec: { hard } });
  await settled(context, metadata.name, hard, { secrets: '1', [lease]: '0' });
  const rehearsed = async (objects: Collection) => (await objects.post(objects.sample(), { dryRun: 'All' })).status;
  await waitUntil(
    'what there is room for is allowed, and what there is too much of is refused',
    async () => [await rehearsed(leases), await rehearsed(secrets)],
    counts,
  );
}

export default [
  // What would exceed a quota of its namespace is refused.
  defineRule('admission.resource-quota.rejects', {
    matrix: {
      by: [
        ...countable,
        'services.nodeports by a change',
        { name: 'services.nodeports by ports', check: countsPorts },
        { name: 'services.loadbalancers', check: countsBalanced },
        { name: 'each of several things', check: countsEachApart },
        { name: 'requests.storage by a change', check: countsGrowth },
        { name: 'count of a custom type', needs: ['crd'] as const, check: countsCustom },
        ...podQuotas.map((quota) => ({ ...quota, needs: ['pods'] as const })),
      ],
    },
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/pods$/, body: /activeDeadlineSeconds/, instead: 403 }),
      answerStatus(201, { method: 'POST', path: /\/pods$/, body: /priorityClassName/, instead: 403 }),
      answerStatus(201, { method: 'POST', path: /\/secrets$/, instead: 403 }),
      answerStatus(200, { method: 'PATCH', path: /\/persistentvolumeclaims\/[^/]+$/, instead: 403 }),
      answerStatus(201, { method: 'PATCH', path: /\/secrets\/[^/]+$/, instead: 403 }),
      storesRefused({ path: /\/secrets(\/[^/]+)?$/ }),
      answerStatus(201, { method: 'POST', path: /\/secrets$/, query: { dryRun: true }, instead: 403 }),
    ],
    async check(context, { by }) {
      if (typeof by !== 'string') return 'check' in by ? by.check(context) : countsPods(context, by);
      if (by === 'services.nodeports by a change') return countsChanges(context);
      const { of, hard } = ones[by];
      await allowsOne(context, context[of], [hard].flat());
    },
  }),

  // Quotas bind only while the ResourceQuota controller is on.
  defineRule('admission.resource-quota.needed', {
    flags: ['--disable-admission-plugins=ResourceQuota'],
    sabotage: [
      answerStatus(403, { method: 'POST', path: /\/secrets$/, instead: 201 }),
      loseWrite({ method: 'POST', path: /\/secrets$/, nth: 2 }),
    ],
    async check(context) {
      const { secrets, expect } = context;
      await quotaOf(context, ones.secrets.hard);
      for (const nth of ['first', 'second', 'third'])
        expect((await secrets.post(secrets.sample())).status, nth).toBe(201);
      expect((await secrets.list()).items, 'what is stored').toHaveLength(3);
    },
  }),
];
