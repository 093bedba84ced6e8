import { long } from '../../checks/lists/long-lists.ts';
import { defineRule } from '../../rule.ts';
import { answerHeader, changeEvent } from '../../sabotage/transforms.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { generalKinds, seen, views } from '../../verbs/subjects.ts';
import type { WatchEvent } from '../../verbs/watch.ts';

const watches = { method: 'GET', query: { watch: true } };

export default [
  // A watch is answered chunk by chunk, each change being sent when it happens.
  defineRule('watch.stream.chunked', {
    matrix: { kind: generalKinds, view: views },
    where: seen,
    sabotage: [answerHeader('content-length', '4096', watches), changeEvent('keeps changes back', () => [], watches)],
    async check({ objects, expect }, { view }) {
      const watch = await objects.viewed(view).watch();
      expect(watch.status).toBe(200);
      expect(watch.headers['content-length']).toBeUndefined();
      for (const nth of ['first', 'second']) {
        const { metadata } = await objects.create();
        const isNew = ({ type }: WatchEvent): boolean => type === 'ADDED';
        const event = await watch.next(`the ${nth} change, while the stream goes on`, isNew);
        expect(event.object?.metadata?.name).toBe(metadata.name);
      }
    },
  }),

  // The stream is made of JSON documents with `type` and `object`.
  defineRule('watch.stream.documents', {
    sabotage: [
      changeEvent('sends bare objects', (event) => [event.object], watches),
      changeEvent('sends no JSON', () => ['event: changed'], watches),
      changeEvent('cuts what is long', (event) => [JSON.stringify(event).slice(0, 100_000)], watches),
    ],
    matrix: { kind: generalKinds },
    async check({ objects, expect }) {
      const viewed = objects.viewed('labels');
      const ways = [
        viewed.watch(),
        viewed.watch({}, { 'accept-encoding': 'gzip' }),
        objects.viewed('WebSocket').watch(),
      ];
      const watches = await Promise.all(ways);
      await objects.createMany(1);
      await objects.create(long);
      // What comes behind a long one comes, however slowly that one is read.
      await objects.create();
      for (const watch of watches) {
        const events = await watch.take(3, ({ type }) => type !== 'MODIFIED');
        for (const event of events) {
          expect(Object.keys(event).sort()).toEqual(['object', 'type']);
          expect(event.type).toBeTypeOf('string');
          expect(event.object).toMatchObject({ kind: objects.at.kind, apiVersion: apiVersionOf(objects.at) });
        }
        expect(events[1]?.object, 'what is long').toMatchObject(long);
      }
    },
  }),
];
