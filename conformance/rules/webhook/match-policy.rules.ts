import { defineRule } from '../../rule.ts';
import { misreadMember, uncalled } from '../../sabotage/webhooks.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { configure, requestsOf } from '../../verbs/webhooks.ts';
import { bothSorts, hookDefaultRule } from '../webhook-field-rules.ts';

const needs = ['webhooks'] as const;
const rules = [
  { apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'], operations: ['CREATE'] },
];
const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'front' } };

const scalers = ({ kind }: RuleContext, version: string) =>
  kind({
    group: 'autoscaling',
    version,
    resource: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    namespaced: true,
  });

/** The versions in which a webhook for autoscaling/v1 is sent a create in v1 and one in v2. */
async function sentVersions(context: RuleContext, matchPolicy: string): Promise<string[]> {
  const { hooks } = await configure(context, 'validating', [{ over: { rules, matchPolicy } }]);
  for (const version of ['v1', 'v2']) await scalers(context, version).create({ spec });
  return hooks.flatMap(requestsOf).map((request) => `${request?.kind?.version}: ${request?.object?.apiVersion}`);
}

export default [
  // With `Exact` a request counts only in the group and version that a rule names.
  defineRule('webhook.match-policy.exact', {
    needs,
    sabotage: [uncalled, misreadMember('matchPolicy', 'Equivalent')],
    async check(context) {
      context.expect(await sentVersions(context, 'Exact')).toEqual(['v1: autoscaling/v1']);
    },
  }),

  // With `Equivalent` a request by another group or version is converted and sent.
  defineRule('webhook.match-policy.equivalent', {
    needs,
    sabotage: [uncalled, misreadMember('matchPolicy', 'Exact')],
    async check(context) {
      context.expect(await sentVersions(context, 'Equivalent')).toEqual(['v1: autoscaling/v1', 'v1: autoscaling/v1']);
    },
  }),

  // Without a `matchPolicy` it is `Equivalent`; there are just the two.
  hookDefaultRule('webhook.match-policy.default', bothSorts, 'matchPolicy', 'Equivalent', ['Exact', 'Equivalent']),
];
