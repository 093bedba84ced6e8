import { defineRule } from '../../rule.ts';
import { answerHeader, changeEvent } from '../../sabotage/transforms.ts';

const watches = { method: 'GET', query: { watch: true } };

export default [
  // A watch is answered chunk by chunk, each change being sent when it happens.
  defineRule('watch.stream.chunked', {
    sabotage: [answerHeader('content-length', '4096', watches), changeEvent('keeps changes back', () => [], watches)],
    async check({ secrets, expect }) {
      const watch = await secrets.watch();
      expect(watch.status).toBe(200);
      expect(watch.headers['content-length']).toBeUndefined();
      for (const nth of ['first', 'second']) {
        const { metadata } = await secrets.create();
        const event = await watch.next(`the ${nth} change, while the stream goes on`);
        expect(event.object?.metadata?.name).toBe(metadata.name);
      }
    },
  }),

  // The stream is made of JSON documents with `type` and `object`.
  defineRule('watch.stream.documents', {
    sabotage: [
      changeEvent('sends bare objects', (event) => [event.object], watches),
      changeEvent('sends no JSON', () => ['event: changed'], watches),
    ],
    async check({ secrets, expect }) {
      const watch = await secrets.watch();
      await secrets.createMany(2);
      for (const event of await watch.take(2)) {
        expect(Object.keys(event).sort()).toEqual(['object', 'type']);
        expect(event.type).toBeTypeOf('string');
        expect(event.object).toMatchObject({ kind: 'Secret', apiVersion: 'v1' });
      }
    },
  }),
];
