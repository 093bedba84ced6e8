import { answersInForm, tellsSameInYaml, watchesInForm } from '../../checks/lists/answered-forms.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import { customType } from '../../verbs/custom-types.ts';
import { protobufType } from '../../verbs/protobuf.ts';
import { generalKinds } from '../../verbs/subjects.ts';

const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
/** A blank may stand behind each semicolon. */
const spaced = table.replaceAll(';', '; ');
const everyKind = { matrix: { kind: generalKinds } } as const;
const several = { method: 'GET', header: { accept: /,/ } };

export default [
  // Of several media types in `Accept` the first that is on offer is used.
  defineRule('content.accept.list', {
    ...everyKind,
    sabotage: [
      answerStatus(406, several),
      requestHeader('accept', 'application/json', several),
      requestHeader('accept', 'application/json', { ...several, path: /\/leases\// }),
      ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
        requestHeader('accept', 'application/json', { method, header: { accept: /as=Table/ } }),
      ),
      requestHeader('accept', 'application/json', {
        query: { watch: true },
        header: { accept: /as=PartialObjectMetadata/ },
      }),
      answerStatus(406, { ...several, header: { accept: /html, application\/xml, .*json/ } }),
      replaceIn('items.*.apiVersion', { header: { accept: /as=PartialObjectMetadataList/ } }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const { name } = (await objects.create()).metadata;
      const kinds = { list: `${objects.at.kind}List`, item: objects.at.kind };
      for (const part of ['list', 'item'] as const) {
        const kindFor = async (accept: string) => {
          const headers = { accept };
          const { status, body } =
            part === 'list' ? await objects.getAll('', { headers }) : await objects.get(name, '', { headers });
          return [status, body?.kind];
        };
        expect(
          await kindFor(`text/html, ${table}, application/json`),
          `${part}: an unknown type is passed over`,
        ).toEqual([200, 'Table']);
        expect(await kindFor(`application/json, ${table}`), `${part}: the first counts`).toEqual([200, kinds[part]]);
        expect(
          await kindFor(`application/json;q=0.851, ${spaced}; q=0.859`),
          `${part}: the one that is wanted most comes first, also with blanks`,
        ).toEqual([200, 'Table']);
        expect(
          await kindFor('text/html, application/xml, application/x, application/json'),
          `${part}: several unknown types are passed over`,
        ).toEqual([200, kinds[part]]);
        expect(await kindFor('text/html, */*'), `${part}: any`).toEqual([200, kinds[part]]);
        expect(await kindFor('application/json; charset=utf-8'), `${part}: with a charset`).toEqual([200, kinds[part]]);
        expect(await kindFor('text/html, application/xml'), `${part}: none is known`).toEqual([406, 'Status']);
      }
      await answersInForm(context, objects, kind);
      await watchesInForm(context, objects, kind);
      await tellsSameInYaml(context, objects);
    },
  }),

  // JSON named after a Table is the answer where there is no Table.
  defineRule('content.accept.table-fallback', {
    ...everyKind,
    sabotage: [answerStatus(406, several), replaceIn('kind', several)],
    async check({ objects, expect }) {
      const { name } = (await objects.create()).metadata;
      const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v99, application/json' };
      const { status, body } = await objects.getAll('', { headers });
      expect(status).toBe(200);
      expect(body.kind, 'a Table version that does not exist').toBe(`${objects.at.kind}List`);
      const item = await objects.get(name, '', { headers });
      expect([item.status, item.body?.kind], 'of one object').toEqual([200, objects.at.kind]);
    },
  }),

  // JSON named after protobuf is the answer where there is no protobuf.
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
