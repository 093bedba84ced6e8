import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { nameOf } from '../../verbs/states.ts';
import { fail, succeed, unscheduled } from '../pods/node-play.ts';

/** What is deleted makes room in its quota again. */
export async function countsAnew(context: RuleContext): Promise<void> {
  const { waitUntil, longPatience, extraNamespace } = context;
  const place = await extraNamespace();
  const [quotas, leases] = [context.resourceQuotas.in(place), context.leases.in(place)];
  const allowing = (most: string): Json => ({ spec: { hard: { 'count/leases.coordination.k8s.io': most } } });
  const quota = nameOf(await quotas.create(allowing('0')));
  const tried = async (): Promise<number> => (await leases.post(leases.sample(), { dryRun: 'All' })).status;
  const until = (what: string, code: number) =>
    waitUntil(what, tried, (status) => status === code, { limit: longPatience });
  // What is let in before a server has heard of a quota does not count.
  await until('an object is beyond the quota', 403);
  await quotas.merge(quota, allowing('1'));
  await until('an object is within the quota', 201);
  const name = nameOf(await leases.create());
  await until('a second one is beyond it', 403);
  await leases.remove(name);
  await until('there is room again', 201);
}

/** A pod that has ended, well or not, makes room in its quota while it is still there. */
export async function countsEnded(context: RuleContext): Promise<void> {
  const { pods, resourceQuotas, waitUntil, longPatience } = context;
  await preparePods(context);
  const sample = (): Json => pods.sample({ spec: unscheduled });
  const tried = async (): Promise<number> => (await pods.post(sample(), { dryRun: 'All' })).status;
  const until = (what: string, code: number) =>
    waitUntil(what, tried, (status) => status === code, { limit: longPatience });
  const quota = nameOf(await resourceQuotas.create({ spec: { hard: { pods: '0' } } }));
  await until('a pod is beyond the quota', 403);
  await resourceQuotas.merge(quota, { spec: { hard: { pods: '1' } } });
  for (const [what, end] of [
    ['failed', fail],
    ['succeeded', succeed],
  ] as const) {
    await until('a pod is within the quota', 201);
    const pod = await pods.create({ spec: unscheduled });
    await until('a second one is beyond it', 403);
    await end(context, pod);
    await until(`there is room again, now that it has ${what}`, 201);
  }
}

/** The label by which roles are gathered. */
const gathered = 'touchstone.example/gathered';

const rule = (resource: string): Json => ({ apiGroups: ['touchstone.example'], resources: [resource], verbs: ['get'] });

/** A role that gathers others has their rules, as they are now. */
export async function gathersRules({ clusterRoles, unique, waitUntil, longPatience }: RuleContext): Promise<void> {
  const label = { [gathered]: unique('roles') };
  const other = { [gathered]: unique('others') };
  const first = await clusterRoles.create({ metadata: { labels: label }, rules: [rule('ones')] });
  const isOther = { key: gathered, operator: 'In', values: Object.values(other) };
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: label }, { matchExpressions: [isOther] }] };
  const name = nameOf(await clusterRoles.create({ aggregationRule, rules: [] }));
  const until = async (...resources: readonly string[]): Promise<unknown> =>
    waitUntil(
      `it has the rules for ${resources.join(' and ')}`,
      async () => ((await clusterRoles.read(name)).rules ?? []).flatMap((one: Json) => one.resources).sort(),
      (seen) => seen.join() === resources.join(),
      { limit: longPatience },
    );
  await until('ones');
  const second = await clusterRoles.create({ metadata: { labels: other }, rules: [rule('twos')] });
  await until('ones', 'twos');
  await clusterRoles.merge(nameOf(first), { rules: [rule('threes')] });
  await until('threes', 'twos');
  await clusterRoles.merge(nameOf(second), { metadata: { labels: { [gathered]: null } } });
  await until('threes');
  await clusterRoles.merge(nameOf(second), { metadata: { labels: other } });
  await until('threes', 'twos');
  await clusterRoles.remove(nameOf(second));
  await until('threes');
}
