import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import { customType } from '../../verbs/custom-types.ts';
import { protobufType } from '../../verbs/protobuf.ts';

const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const several = { method: 'GET', header: { accept: /,/ } };

export default [
  defineRule('content.accept.list', {
    sabotage: [answerStatus(406, several), requestHeader('accept', 'application/json', several)],
    async check({ secrets, expect }) {
      await secrets.create();
      const kindFor = async (accept: string) => {
        const { status, body } = await secrets.getAll('', { headers: { accept } });
        return [status, body?.kind];
      };
      expect(await kindFor(`text/html, ${table}, application/json`), 'an unknown type is passed over').toEqual([
        200,
        'Table',
      ]);
      expect(await kindFor(`application/json, ${table}`), 'the first counts').toEqual([200, 'SecretList']);
      expect(await kindFor('text/html, application/xml'), 'none is known').toEqual([406, 'Status']);
    },
  }),

  defineRule('content.accept.table-fallback', {
    sabotage: [answerStatus(406, several), replaceIn('kind', several)],
    async check({ secrets, expect }) {
      await secrets.create();
      const accept = 'application/json;as=Table;g=meta.k8s.io;v=v99, application/json';
      const { status, body } = await secrets.getAll('', { headers: { accept } });
      expect(status).toBe(200);
      expect(body.kind, 'a Table version that does not exist').toBe('SecretList');
    },
  }),

  defineRule('content.accept.protobuf-fallback', {
    needs: ['crd'],
    sabotage: [answerStatus(406, several), requestHeader('accept', 'application/yaml', several)],
    async check(context) {
      const { expect } = context;
      const things = await customType(context, {});
      const { metadata } = await things.create();
      const answer = await things.get(metadata.name, '', { headers: { accept: `${protobufType}, application/json` } });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.body?.metadata?.uid).toBe(metadata.uid);
    },
  }),
];
