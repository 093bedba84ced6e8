import { defineRule } from '../rule.ts';
import { answerStatus } from '../sabotage/transforms.ts';

export default [
  defineRule('content.not-acceptable', {
    sabotage: answerStatus(200, { instead: 406 }),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      for (const accept of ['text/html', 'application/xml', 'application/json;as=Table;g=meta.k8s.io;v=v99']) {
        expect((await secrets.get(metadata.name, '', { headers: { accept } })).status, `${accept}, an object`).toBe(
          406,
        );
        expect((await secrets.getAll('', { headers: { accept } })).status, `${accept}, a list`).toBe(406);
      }
      expect((await secrets.get(metadata.name)).status, 'no type asked for').toBe(200);
    },
  }),
];
