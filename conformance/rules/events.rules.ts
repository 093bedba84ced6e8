import { defineRule } from '../rule.ts';
import { notFound, replaceIn, swallowEvent } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import { coreEvents } from './old-event-rule.ts';

const item = { method: 'GET', path: /\/events\/[^/]+$/ };

const uidOf = ({ metadata }: Json): string => metadata.uid;

export default [
  // `Event` is an object kind that tells of changes in the cluster, not to be taken for what a watch sends.
  defineRule('events.kind', {
    sabotage: [
      notFound(item),
      replaceIn('kind', item),
      replaceIn('items', { method: 'GET', path: /^\/api\/v1\/.*\/events$/, with: [] }),
      swallowEvent('ADDED', { method: 'GET', path: /^\/api\/v1\/.*\/events$/, query: { watch: true } }),
    ],
    async check({ events, kind, namespace, unique, expect }) {
      const name = unique();
      const older = kind(coreEvents);
      const named = { fieldSelector: `metadata.name=${name}` };
      const watch = await older.watch(named);
      const { metadata } = await events.create({
        metadata: { name },
        regarding: { kind: 'Secret', namespace: await namespace(), name: 'any' },
      });
      const answer = await events.get(metadata.name);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ kind: 'Event', apiVersion: 'events.k8s.io/v1', reason: 'Judged' });
      // It is the same object in the group that had it before.
      const shown = { kind: 'Event', apiVersion: 'v1', reason: 'Judged', involvedObject: { name: 'any' } };
      const event = await watch.next('the event', ({ type }) => type === 'ADDED');
      expect(event.object, 'in a watch of the core group').toMatchObject(shown);
      const { items } = await older.list(named);
      expect(items.map(uidOf), 'in a list of the core group').toEqual([metadata.uid]);
    },
  }),
];
