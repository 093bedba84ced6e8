import { defineRule } from '../../rule.ts';
import { misreadHook, misreadMember, uncalled } from '../../sabotage/webhooks.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { nameOf } from '../../verbs/states.ts';
import { subjects } from '../../verbs/subjects.ts';
import { configure, remembered, requestsOf } from '../../verbs/webhooks.ts';

const needs = ['webhooks'] as const;
const on = (group: string, ...resources: string[]) => [
  { apiGroups: [group], apiVersions: ['v1'], resources, operations: ['CREATE', 'UPDATE', 'DELETE'] },
];
const elsewhere = { matchLabels: { 'touchstone/none': 'such' } };

/** Writes a status in the rule's own namespace, and in another. */
async function writeStatus({ kind }: RuleContext, other: string): Promise<void> {
  const ingresses = kind(kindPaths.ingresses);
  for (const each of [ingresses, ingresses.in(other)])
    await each.patch(nameOf(await each.create()), subjects.ingresses.status?.(1), { sub: 'status' });
}

export default [
  // A `namespaceSelector` looks at the labels of the namespace that the object is in.
  defineRule('webhook.namespace-selector.namespaced', {
    needs,
    sabotage: [uncalled, misreadMember('namespaceSelector', {})],
    async check(context) {
      const { secrets, namespaces, extraNamespace, unique, waitUntil, expect } = context;
      const mark = unique('mark');
      const other = await extraNamespace({ 'touchstone/mark': mark });
      const namespaceSelector = { matchLabels: { 'touchstone/mark': mark } };
      const status = { over: { namespaceSelector, rules: on('networking.k8s.io', 'ingresses/status') } };
      const { hooks: all } = await configure(context, 'validating', [
        status,
        { over: { namespaceSelector } },
        {
          over: {
            namespaceSelector: { matchExpressions: [{ key: 'touchstone/mark', operator: 'In', values: [mark] }] },
          },
        },
      ]);
      const [below, ...hooks] = all;
      await writeStatus(context, other);
      // Who else looks after routes may write the status, too.
      const places = new Set(below && requestsOf(below).map(({ namespace }) => namespace));
      expect([...places], 'of a status').toEqual([other]);
      await secrets.create();
      const { metadata } = await secrets.in(other).create();
      const place = (request: Json): string => `${request?.namespace}/${request?.name}`;
      for (const [index, hook] of hooks.entries())
        expect(requestsOf(hook).map(place), index === 0 ? 'by labels' : 'by an expression').toEqual([
          `${other}/${metadata.name}`,
        ]);
      const calls = async (): Promise<number[]> => {
        const before = hooks.map(({ received }) => received.length);
        await secrets.in(other).create();
        return hooks.map(({ received }, index) => received.length - (before[index] ?? 0));
      };
      for (const [label, times] of [
        [null, 0],
        [mark, 1],
      ] as const) {
        await namespaces.merge(other, { metadata: { labels: { 'touchstone/mark': label } } });
        await waitUntil(`each webhook hears ${times} times where the mark is ${label}`, calls, (told) =>
          told.every((one) => one === times),
        );
      }
    },
  }),

  // For a Namespace it looks at that one's own labels.
  defineRule('webhook.namespace-selector.namespace', {
    needs,
    sabotage: [
      uncalled,
      misreadMember('objectSelector', elsewhere),
      misreadHook('hears of no end', ({ rules, ...hook }) => ({
        ...hook,
        rules: rules.map((rule: Json) => ({ ...rule, operations: ['CREATE', 'UPDATE'] })),
      })),
    ],
    async check(context) {
      const { namespaces, extraNamespace, unique, expect } = context;
      const mark = unique('mark');
      const { hooks } = await configure(context, 'validating', [
        { over: { rules: on('', 'namespaces'), namespaceSelector: { matchLabels: { 'touchstone/mark': mark } } } },
      ]);
      const labelled = await extraNamespace({ 'touchstone/mark': mark });
      const plain = await extraNamespace();
      const label = async (labels: Json) =>
        remembered(namespaces, await namespaces.merge(plain, { metadata: { labels } }));
      await label({ other: 'one' });
      const heard = (): Json[] => hooks.flatMap(requestsOf).map((request: Json) => request?.name);
      // Others of the cluster may have written it as well.
      expect([...new Set(heard())]).toEqual([labelled]);
      const before = heard().length;
      // Of a change the labels count that it brings about.
      await label({ 'touchstone/mark': mark });
      expect(heard().slice(before), 'one that is labelled').toEqual([plain]);
      await label({ 'touchstone/mark': null });
      expect(heard().slice(before), 'one that is labelled no more').toEqual([plain]);
      // Of one that is to go those count that it has.
      const all = heard().length;
      for (const name of [await extraNamespace(), labelled])
        await namespaces.delete(name, { query: { dryRun: 'All' } });
      expect([...new Set(heard().slice(all))], 'the end of one with the label, and of one without').toEqual([labelled]);
    },
  }),

  // Other cluster-scoped objects are sent whatever it says.
  defineRule('webhook.namespace-selector.cluster-scoped', {
    needs,
    sabotage: uncalled,
    async check(context) {
      const { priorityClasses, unique, expect } = context;
      const mark = unique('mark');
      const over = {
        rules: on('scheduling.k8s.io', 'priorityclasses'),
        namespaceSelector: elsewhere,
        objectSelector: { matchLabels: { 'touchstone/mark': mark } },
      };
      const { hooks } = await configure(context, 'validating', [{ over }]);
      const { metadata } = await priorityClasses.create({ metadata: { labels: { 'touchstone/mark': mark } } });
      expect(hooks.flatMap(requestsOf).map((request: Json) => request?.name)).toEqual([metadata.name]);
    },
  }),
];
