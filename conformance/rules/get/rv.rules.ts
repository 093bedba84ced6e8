import { parse } from 'yaml';
import { otherForms } from '../../checks/lists/selecting-forms.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { metadataOf, protobufType, readEnvelope } from '../../verbs/protobuf.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { changeOf, generalKinds, marking, quietKinds, type Subject } from '../../verbs/subjects.ts';

const item = { method: 'GET', path: /\/secrets\/[^/]+$/ };

/** Of an object, or of the one in a Table. */
const metadataIn = ({ metadata, rows }: Json): Json => (rows ? rows[0]?.object?.metadata : metadata);

/** An object is shown in its newest state in whatever form it is asked for. */
async function isNewInForms(context: RuleContext, objects: Collection, kind: Subject, changed: Json): Promise<void> {
  for (const accept of otherForms(context, kind)) {
    const { bytes, text } = await objects.get(nameOf(changed), '', { headers: { accept } });
    // Every JSON is YAML.
    const shown = accept === protobufType ? metadataOf(readEnvelope(bytes).raw) : metadataIn(parse(text));
    context.expect(shown?.resourceVersion, `the version of ${accept}`).toBe(versionOf(changed));
  }
}

export default [
  // A get without a version reads the newest state.
  defineRule('get.rv.unset', {
    matrix: { kind: quietKinds },
    sabotage: [
      replaceIn('metadata.resourceVersion', { ...item, with: '7' }),
      replaceIn('metadata.annotations', { method: 'GET', path: /\/jobs\/|\/leases\/[^/]+$/, with: {} }),
      replaceIn('rows.*.object.metadata.resourceVersion', { method: 'GET', with: '7' }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const object = await objects.create();
      for (const round of [1, 2, 3]) {
        const before = await objects.merge(nameOf(object), changeOf(kind, round));
        await isNewInForms(context, objects, kind, before);
        const changed = await objects.merge(nameOf(object), marking(`${round}`));
        const answer = await objects.get(nameOf(object));
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual(changed);
        await isNewInForms(context, objects, kind, changed);
      }
    },
  }),

  // A get at `0` may show the object at any age.
  defineRule('get.rv.zero', {
    matrix: { kind: generalKinds },
    sabotage: [
      answerStatus(400, { ...item, query: { resourceVersion: '0' } }),
      replaceIn('metadata.uid', { ...item, query: { resourceVersion: '0' } }),
    ],
    async check({ objects, waitUntil, expect }) {
      const { metadata } = await objects.create();
      // Any version may also be one from before the create.
      const look = () => objects.get(metadata.name, { resourceVersion: 0 });
      const answer = await waitUntil('the object shows at any version', look, ({ status }) => status !== 404);
      expect(answer.status).toBe(200);
      expect(answer.body.metadata.uid).toBe(metadata.uid);
    },
  }),

  // A get at a version shows a state no older than that.
  defineRule('get.rv.nonzero', {
    matrix: { kind: generalKinds },
    sabotage: [
      answerStatus(400, { ...item, query: { resourceVersion: true } }),
      replaceIn('metadata.annotations', { ...item, with: {} }),
    ],
    async check({ objects, expect }, { kind }) {
      const object = await objects.create();
      for (const round of [1, 2]) {
        await objects.merge(nameOf(object), marking(`${round}`));
        const changed = await objects.merge(nameOf(object), changeOf(kind, round));
        const answer = await objects.get(nameOf(object), { resourceVersion: versionOf(changed) });
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject(changeOf(kind, round));
        expect(answer.body.metadata.annotations).toMatchObject({ 'example.com/round': `${round}` });
        const older = await objects.get(nameOf(object), { resourceVersion: versionOf(object) });
        expect(older.status, 'at an older version').toBe(200);
        expect(older.body.metadata.uid).toBe(object.metadata.uid);
      }
    },
  }),
];
