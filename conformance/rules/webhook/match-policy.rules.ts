import { defineRule } from '../../rule.ts';
import { misreadMember, uncalled } from '../../sabotage/webhooks.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { configure, requestsOf } from '../../verbs/webhooks.ts';
import { bothSorts, hookDefaultRule } from '../webhook-field-rules.ts';

const needs = ['webhooks'] as const;
const resources = ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'];
const rules = [{ apiGroups: ['autoscaling'], apiVersions: ['v1'], resources, operations: ['CREATE', 'UPDATE'] }];
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

/** The versions in which a webhook for autoscaling/v1 is sent a create and a status in v1 and in v2. */
async function sentVersions(context: RuleContext, matchPolicy: string): Promise<string[]> {
  const { hooks } = await configure(context, 'validating', [{ over: { rules, matchPolicy } }]);
  for (const version of ['v1', 'v2']) {
    const { metadata } = await scalers(context, version).create({ spec });
    const status = { status: { currentReplicas: replicas, desiredReplicas: 1 } };
    const written = await scalers(context, version).patch(metadata.name, status, { sub: 'status' });
    context.expect(written.status, `a status in ${version}`).toBe(200);
  }
  const ours = hooks.flatMap(requestsOf).filter(({ operation, object, oldObject }) => {
    const isNews = oldObject?.status?.currentReplicas !== replicas && object?.status?.currentReplicas === replicas;
    return operation === 'CREATE' || isNews;
  });
  return ours.map(({ operation, kind, object }) => `${operation} ${kind?.version}: ${object?.apiVersion}`);
}

const sent = ['CREATE v1: autoscaling/v1', 'UPDATE v1: autoscaling/v1'];

export default [
  // With `Exact` a request counts only in the group and version that a rule names.
  defineRule('webhook.match-policy.exact', {
    needs,
    sabotage: [uncalled, misreadMember('matchPolicy', 'Equivalent')],
    async check(context) {
      context.expect(await sentVersions(context, 'Exact')).toEqual(sent);
    },
  }),

  // With `Equivalent` a request by another group or version is converted and sent.
  defineRule('webhook.match-policy.equivalent', {
    needs,
    sabotage: [uncalled, misreadMember('matchPolicy', 'Exact')],
    async check(context) {
      context.expect(await sentVersions(context, 'Equivalent')).toEqual([...sent, ...sent]);
    },
  }),

  // Without a `matchPolicy` it is `Equivalent`; there are just the two.
  hookDefaultRule('webhook.match-policy.default', bothSorts, 'matchPolicy', 'Equivalent', ['Exact', 'Equivalent']),
];
