import { defineRule } from '../../rule.ts';
import { misreadMember, uncalled } from '../../sabotage/webhooks.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { configure, notOvertaken, patchWith, type Respond, requestsOf } from '../../verbs/webhooks.ts';
import { bothSorts, hookDefaultRule } from '../webhook-field-rules.ts';

const needs = ['webhooks'] as const;
const resources = ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'];
const of = (version: string, names: readonly string[] = resources): Json => ({
  ...{ apiGroups: ['autoscaling'], apiVersions: [version], resources: names, operations: ['CREATE', 'UPDATE'] },
});
const on = (...names: readonly string[]): Json => [of('v1', names)];
const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'front' } };

const scalers = ({ kind }: RuleContext, version: string) =>
  kind({
    group: 'autoscaling',
    version,
    resource: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    namespaced: true,
  });

/** By this a status of ours is told from those that a controller writes. */
const replicas = 77;

/** The versions in which webhooks for autoscaling/v1 are sent a create and a status in v1 and in v2, and the status before. */
async function sentVersions(
  context: RuleContext,
  matchPolicy: string,
  rules: Json = on(...resources),
): Promise<string[][]> {
  const sorts = [];
  for (const sort of ['mutating', 'validating'] as const)
    sorts.push(await configure(context, sort, [{ over: { rules, matchPolicy } }]));
  for (const version of ['v1', 'v2']) {
    const { metadata } = await scalers(context, version).create({ spec });
    const status = { status: { currentReplicas: replicas, desiredReplicas: 1 } };
    const written = await scalers(context, version).patch(metadata.name, status, { sub: 'status' });
    context.expect(written.status, `a status in ${version}`).toBe(200);
  }
  const isOurs = ({ operation, object, oldObject }: Json): boolean =>
    operation === 'CREATE' ||
    (oldObject?.status?.currentReplicas !== replicas && object?.status?.currentReplicas === replicas);
  return sorts.map(({ hooks }) => notOvertaken(hooks.flatMap(requestsOf).filter(isOurs)).map(versionsIn));
}

const versionsIn = ({ operation, kind, object, oldObject }: Json): string =>
  `${operation} ${kind?.version}: ${object?.apiVersion}, before ${oldObject?.apiVersion ?? 'none'}`;

/** Asked in v1, a webhook wants another target and one more label. */
const retargeting: Respond = (review) => {
  const { spec: asked, metadata } = review?.request?.object ?? {};
  const labels = { ...metadata?.labels, 'touchstone.example/told': 'yes' };
  const target = { op: 'add', path: '/spec/targetCPUUtilizationPercentage', value: 55 };
  return asked ? patchWith(target, { op: 'add', path: '/metadata/labels', value: labels }) : { allowed: true };
};

const resource = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 55 } };

/** The target as each version shows it. */
const retargeted = {
  v1: { targetCPUUtilizationPercentage: 55 },
  v2: { metrics: [{ type: 'Resource', resource }] },
};

/** What a webhook changes of the version that it is sent comes about in the version that was asked for. */
async function changesConverted(context: RuleContext): Promise<void> {
  const { expect } = context;
  const over = { rules: on('horizontalpodautoscalers'), matchPolicy: 'Equivalent' };
  await configure(context, 'mutating', [{ over, respond: retargeting }]);
  for (const [version, part] of Object.entries(retargeted)) {
    const objects = scalers(context, version);
    const made = await objects.create({ spec });
    const changed = await objects.merge(made.metadata.name, { spec: { maxReplicas: 4 } });
    for (const [what, object] of Object.entries({ made, changed, stored: await objects.read(made.metadata.name) })) {
      expect(object.spec, `${what} in ${version}`).toMatchObject(part);
      expect(object.metadata.labels, `${what} in ${version}`).toHaveProperty(['touchstone.example/told'], 'yes');
    }
  }
}

const sent = ['CREATE v1: autoscaling/v1, before none', 'UPDATE v1: autoscaling/v1, before autoscaling/v1'];
const sentTwice = [...sent, ...sent];
const sentEach = [...sent, ...sent.map((text) => text.replaceAll('v1', 'v2'))];

export default [
  // With `Exact` a request counts only in the group and version that a rule names.
  defineRule('webhook.match-policy.exact', {
    needs,
    sabotage: [uncalled, misreadMember('matchPolicy', 'Equivalent')],
    async check(context) {
      context.expect(await sentVersions(context, 'Exact')).toEqual([sent, sent]);
    },
  }),

  // With `Equivalent` a request by another group or version is converted and sent.
  defineRule('webhook.match-policy.equivalent', {
    needs,
    sabotage: [uncalled, misreadMember('matchPolicy', 'Exact')],
    async check(context) {
      context.expect(await sentVersions(context, 'Equivalent')).toEqual([sentTwice, sentTwice]);
      for (const [index, name] of resources.entries()) {
        const twice = [sent[index], sent[index]];
        const alone = await sentVersions(context, 'Equivalent', on(name));
        context.expect(alone, `for ${name} alone`).toEqual([twice, twice]);
      }
      const each = await sentVersions(
        context,
        'Equivalent',
        ['v2', 'v1'].map((version) => of(version)),
      );
      context.expect(each, 'for each version by a rule of its own').toEqual([sentEach, sentEach]);
      for (const [scope, heard] of Object.entries({ Namespaced: sentTwice, Cluster: [] })) {
        const scoped = await sentVersions(context, 'Equivalent', [{ ...of('v1'), scope }]);
        context.expect(scoped, `for the scope ${scope}`).toEqual([heard, heard]);
      }
      await changesConverted(context);
    },
  }),

  // Without a `matchPolicy` it is `Equivalent`; there are just the two.
  hookDefaultRule('webhook.match-policy.default', bothSorts, 'matchPolicy', 'Equivalent', ['Exact', 'Equivalent']),
];
