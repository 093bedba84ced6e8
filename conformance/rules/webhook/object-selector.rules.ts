import { connectionRequests } from '../../checks/webhooks/connections.ts';
import { defineRule } from '../../rule.ts';
import { misreadMember, uncalled } from '../../sabotage/webhooks.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { configure, labelling, remembered, requestsOf } from '../../verbs/webhooks.ts';

const needs = ['webhooks'] as const;
const red = { matchLabels: { colour: 'red' } };
const rules = [
  { apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE', 'UPDATE', 'DELETE'] },
];
const labelled = (name: string, labels?: Json) => ({ metadata: { name, ...(labels ? { labels } : {}) } });
const unheeded = misreadMember('objectSelector', {});
const seen = (request: Json): string => `${request?.operation} ${request?.name}`;

/** What a webhook before it has made of the labels counts. */
async function seesGivenLabels(context: RuleContext): Promise<void> {
  const { secrets, expect } = context;
  const { hooks } = await configure(context, 'mutating', [
    { respond: () => labelling('colour', 'red') },
    { over: { objectSelector: red } },
    { over: { objectSelector: { matchExpressions: [{ key: 'colour', operator: 'DoesNotExist' }] } } },
  ]);
  await secrets.create(labelled('given'));
  const calls = hooks.map((hook) => requestsOf(hook).length);
  expect(calls, 'calls for an object that came to be red, of those for all, for red ones and for others').toEqual([
    1, 1, 0,
  ]);
}

export default [
  // An `objectSelector` picks objects by labels and expressions on labels.
  defineRule('webhook.object-selector.labels', {
    needs,
    sabotage: [uncalled, unheeded],
    async check(context) {
      const { secrets, expect } = context;
      const expressions = { matchExpressions: [{ key: 'colour', operator: 'In', values: ['red', 'blue'] }] };
      const { hooks } = await configure(context, 'validating', [
        { over: { objectSelector: red } },
        { over: { objectSelector: expressions } },
      ]);
      await secrets.create(labelled('red', { colour: 'red' }));
      await secrets.create(labelled('blue', { colour: 'blue' }));
      await secrets.create(labelled('plain'));
      const names = hooks.map((hook) => requestsOf(hook).map((request) => request?.name));
      expect(names, 'by labels, and by expressions').toEqual([['red'], ['red', 'blue']]);
      await seesGivenLabels(context);
    },
  }),

  // It is enough that the old or the new object matches.
  defineRule('webhook.object-selector.either', {
    needs,
    sabotage: [uncalled, unheeded],
    async check(context) {
      const { secrets, expect } = context;
      const { hooks } = await configure(context, 'validating', [{ over: { rules, objectSelector: red } }]);
      await secrets.create(labelled('one'));
      for (const colour of ['red', 'blue', 'green'])
        await remembered(secrets, await secrets.merge('one', { metadata: { labels: { colour } } }));
      expect(hooks.flatMap(requestsOf).map(seen), 'the change to red and the change from red').toEqual([
        'UPDATE one',
        'UPDATE one',
      ]);
    },
  }),

  // The object that is not there, before a create or after a delete, matches nothing.
  defineRule('webhook.object-selector.empty-object', {
    needs,
    sabotage: [uncalled, unheeded],
    async check(context) {
      const { secrets, expect } = context;
      // Holds for every object that is there, whatever its labels, but for none that is not.
      const notRed = { matchExpressions: [{ key: 'colour', operator: 'NotIn', values: ['red'] }] };
      const { hooks } = await configure(context, 'validating', [{ over: { rules, objectSelector: notRed } }]);
      await secrets.create(labelled('red', { colour: 'red' }));
      await secrets.remove('red');
      await secrets.create(labelled('plain'));
      expect(hooks.flatMap(requestsOf).map(seen)).toEqual(['CREATE plain']);
    },
  }),

  // What cannot have labels matches nothing.
  defineRule('webhook.object-selector.unlabelled-type', {
    needs: ['webhooks', 'pods'],
    sabotage: [uncalled, unheeded],
    async check(context) {
      // Holds for every object that could have a label, but the options of a command cannot.
      const notRed = { matchExpressions: [{ key: 'colour', operator: 'NotIn', values: ['red'] }] };
      const [selected = [], all = []] = await connectionRequests(context, { objectSelector: notRed }, {});
      context
        .expect(
          all.map((request) => request?.operation),
          'without a selector',
        )
        .toEqual(['CONNECT']);
      context.expect(selected, 'with a selector').toEqual([]);
    },
  }),
];
