import { defineRule } from '../rule.ts';
import { notFound, replaceIn } from '../sabotage/transforms.ts';

const item = { method: 'GET', path: /\/events\/[^/]+$/ };

export default [
  // `Event` is an object kind that tells of changes in the cluster, not to be taken for what a watch sends.
  defineRule('events.kind', {
    sabotage: [notFound(item), replaceIn('kind', item)],
    async check({ events, namespace, expect }) {
      const { metadata } = await events.create({
        regarding: { kind: 'Secret', namespace: await namespace(), name: 'any' },
      });
      const answer = await events.get(metadata.name);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ kind: 'Event', apiVersion: 'events.k8s.io/v1', reason: 'Judged' });
    },
  }),
];
