import { defineRule, type Rule } from '../rule.ts';
import { removeIn, swallowEvent } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import { said } from '../verbs/said.ts';
import { valueAt } from './field-rules.ts';

/** Where Events were before they had a group of their own. */
export const coreEvents = { group: '', version: 'v1', resource: 'events', kind: 'Event', namespaced: true };

const oldEvent = (name: string, namespace: string): Json => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name },
  involvedObject: { kind: 'Pod', namespace, name: 'front-1' },
  reason: 'Judged',
  message: 'judged',
  type: 'Normal',
});

/** What an event of the older API holds shows in fields of the newer one. */
export const oldEventRule = (id: string, old: Json, shown: Readonly<Record<string, Json>>): Rule =>
  defineRule(id, {
    sabotage: [
      ...Object.keys(shown).map((path) =>
        removeIn(path, { method: 'GET', path: /\/events\.k8s\.io\/.*\/events\/[^/]+$/ }),
      ),
      swallowEvent('MODIFIED', { method: 'GET', path: /\/events\.k8s\.io\//, query: { watch: true } }),
    ],
    async check({ kind, events, namespace, unique, expect }) {
      const name = unique();
      const watch = await events.watch({ fieldSelector: `metadata.name=${name}` });
      const body = oldEvent(name, await namespace());
      expect((await kind(coreEvents).post({ ...body, ...old })).status, 'the older kind of event').toBe(201);
      const seen = (await events.get(name)).body;
      const [listed] = (await events.list({ fieldSelector: `metadata.name=${name}` })).items;
      const { object } = await watch.next('the event', ({ type }) => type === 'ADDED');
      for (const [where, one] of Object.entries({ 'by itself': seen, 'in a list': listed, 'by a watch': object }))
        for (const [path, value] of Object.entries(shown))
          expect(valueAt(one, path), `${path}, ${where}`).toEqual(value);
      // Who reports in the older way counts on in it.
      const again = await kind(coreEvents).patch(name, { count: 7, message: 'judged again' });
      expect(again.status, `the same once more: ${said(again)}`).toBe(200);
      const counted = { deprecatedCount: 7, note: 'judged again' };
      expect((await events.get(name)).body, 'the same once more').toMatchObject(counted);
      const change = await watch.next('its change', ({ type }) => type === 'MODIFIED');
      expect(change.object, 'the same once more, by a watch').toMatchObject(counted);
    },
  });
