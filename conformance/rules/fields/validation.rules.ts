import { otherForms } from '../../checks/lists/selecting-forms.ts';
import { spoilt, spoiltBelow, spoiltTwice } from '../../checks/requests/spoilt-bodies.ts';
import {
  refusesBelow,
  refusesMade,
  refusesMembers,
  refusesOperations,
  refusesScales,
  refusesTokens,
  refusesTwice,
  refusesTwiceInList,
  warningForm,
  warnings,
  warnsInForms,
  warnsOfNothing,
} from '../../checks/requests/spoilt-requests.ts';
import { unversioned } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { answerHeader, answerStatus, changeAnswer, forceQuery, ignoreQuery } from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { generalKinds, type Subject } from '../../verbs/subjects.ts';

const posts = { method: 'POST', path: /\/secrets$/ };
const inYaml = { headers: { 'content-type': 'application/yaml' } };
const faulty = async (objects: Collection): Promise<string> => spoilt(await objects.draft());
const faults = ['shape', 'size', 'labels.a'];

/** A patch of each type that brings an unknown field. */
const patches = {
  merge: { shape: 'round' },
  strategic: { shape: 'round' },
  json: [{ op: 'add', path: '/shape', value: 'round' }],
} as const;

type PatchName = keyof typeof patches;
const patchNames = Object.keys(patches) as PatchName[];
const patched = ({ kind, patch }: { kind: Subject; patch: PatchName }): boolean =>
  patch !== 'strategic' || !kind.custom;
const everyKind = { matrix: { kind: generalKinds } } as const;

const strict = { fieldValidation: 'Strict' };
const dry = { dryRun: 'All' };
const unknownWord = { fieldValidation: 'strict' };

export default [
  // `fieldValidation` counts for POST.
  defineRule('fields.validation.post', {
    ...everyKind,
    sabotage: [
      ignoreQuery('fieldValidation', posts),
      ignoreQuery('fieldValidation', { method: 'POST', path: /\/leases$/ }),
      ignoreQuery('fieldValidation', { method: 'POST', path: /\/token$/ }),
      ignoreQuery('fieldValidation', { method: 'POST', query: { dryRun: true } }),
      answerStatus(201, { method: 'POST', path: /\/roles$/, instead: 422 }),
    ],
    async check({ objects, expect }, { kind }) {
      const refused = await objects.post(await faulty(objects), strict);
      expect(refused.status, 'Strict').toBe(400);
      expect((await objects.viewed('labels').list()).items, 'what is stored').toEqual([]);
      expect((await objects.post(await faulty(objects), { ...strict, ...dry })).status, 'Strict, tried').toBe(400);
      for (const [place, spoil] of spoiltBelow(kind)) {
        const inside = spoil(await objects.draft());
        const deep = await objects.post(inside, strict);
        expect(deep.status, `Strict, ${place}`).toBe(400);
        expect(deep.body?.message, `Strict, ${place}`).toContain('shape');
        expect(warnings(await objects.post(inside, dry)), `Warn, ${place}`).toHaveLength(1);
      }
      for (const unknown of [true, false]) {
        const text = spoilt(await objects.draft(), unknown);
        expect((await objects.post(text, strict, inYaml)).status, 'Strict, in YAML').toBe(400);
        if (!unknown) expect((await objects.post(text, strict)).status, 'Strict, twice in JSON').toBe(400);
      }
      await refusesTwiceInList(objects, expect);
      expect((await objects.viewed('labels').list()).items, 'what is stored').toEqual([]);
      const other = await objects.post(await objects.draft(), unknownWord);
      expect([other.status, other.body?.reason], 'another word').toEqual([422, 'Invalid']);
      const ignored = await objects.post(await faulty(objects), { fieldValidation: 'Ignore' });
      expect(ignored.status, `Ignore: ${said(ignored)}`).toBe(201);
      if (kind.name === 'pods') await refusesOperations(objects, expect, nameOf(ignored.body));
      if (kind.name === 'serviceaccounts') await refusesTokens(objects, expect, nameOf(ignored.body));
    },
  }),

  // `fieldValidation` counts for PUT.
  defineRule('fields.validation.put', {
    matrix: { kind: generalKinds, sub: ['', 'status'] },
    where: ({ kind, sub }) => sub === '' || kind.status !== undefined,
    sabotage: [
      ignoreQuery('fieldValidation', { method: 'PUT' }),
      ignoreQuery('fieldValidation', { method: 'PUT', path: /\/status$/ }),
      ignoreQuery('fieldValidation', { method: 'PUT', path: /\/scale$/ }),
      ignoreQuery('fieldValidation', { method: 'PUT', header: { 'content-type': /yaml/ } }),
      ignoreQuery('fieldValidation', { method: 'PUT', query: { fieldValidation: 'strict' } }),
    ],
    async check({ objects, expect }, { kind, sub }) {
      const object = await objects.create();
      const body = spoilt(unversioned(kind, object));
      const put = (fieldValidation: string, query = {}, sent = body, form = {}) =>
        objects.put(sent, { fieldValidation, ...query }, { sub, name: object.metadata.name, ...form });
      expect((await put('Strict', dry)).status, 'Strict, tried').toBe(400);
      expect((await put('strict')).status, 'in small letters').toBe(422);
      const refused = await put('Strict');
      expect(refused.status, 'Strict').toBe(400);
      for (const fault of faults) expect(refused.body?.message, 'Strict').toContain(fault);
      expect((await put('Strict', {}, spoilt(unversioned(kind, object), false), inYaml)).status, 'YAML').toBe(400);
      if (!kind.busy) expect((await objects.read(nameOf(object))).metadata.resourceVersion).toBe(versionOf(object));
      const warned = await put('Warn');
      expect(warned.status, 'Warn').toBe(200);
      expect(warnings(warned), 'Warn').toHaveLength(3);
      expect(warned.body, 'Warn').not.toHaveProperty('shape');
      const again = unversioned(kind, await objects.read(nameOf(object)));
      const ignored = await objects.put(spoilt(again), { fieldValidation: 'Ignore' }, { sub, name: nameOf(object) });
      expect(ignored.status, 'Ignore').toBe(200);
      expect(warnings(ignored), 'Ignore').toEqual([]);
      if (kind.name === 'deployments' && sub === '') await refusesScales(objects, expect, nameOf(object));
    },
  }),

  // `fieldValidation` counts for PATCH.
  defineRule('fields.validation.patch', {
    matrix: { kind: generalKinds, patch: patchNames, sub: ['', 'status'] },
    where: ({ kind, patch, sub }) => patched({ kind, patch }) && (sub === '' || kind.status !== undefined),
    sabotage: [
      ignoreQuery('fieldValidation', { method: 'PATCH' }),
      ignoreQuery('fieldValidation', { method: 'PATCH', header: { 'content-type': /json-patch/ } }),
      ignoreQuery('fieldValidation', { method: 'PATCH', path: /\/status$/ }),
      ignoreQuery('fieldValidation', { method: 'PATCH', query: { fieldValidation: 'strict' } }),
      ignoreQuery('fieldValidation', { method: 'PATCH', body: /"(ownerReferences|parts)"|\/metadata"/ }),
    ],
    async check({ objects, expect }, { kind, patch: type, sub }) {
      const { name } = (await objects.create()).metadata;
      if (sub === '') await refusesBelow(objects, expect, { name, kind, type });
      await (type === 'json' ? refusesMembers : refusesTwice)(objects, expect, { name, sub, type });
      if (type === 'merge' && sub === '') await refusesTwice(objects, expect, { name, sub, type: 'apply' });
      const patch = patches[type] as Json;
      const send = (fieldValidation: string, query = {}) =>
        objects.patch(name, patch, { type, sub, query: { fieldValidation, ...query } });
      expect((await send('strict')).status, 'in small letters').toBe(422);
      expect([400, 422], 'Strict, tried').toContain((await send('Strict', dry)).status);
      // Genuine servers answer 422 to a patch where a whole body is answered 400.
      const refused = await send('Strict');
      expect([400, 422], 'Strict').toContain(refused.status);
      expect(refused.body?.message, 'Strict').toContain('shape');
      for (const query of [dry, {}]) {
        const warned = await send('Warn', query);
        expect(warned.status, 'Warn').toBe(200);
        expect(warnings(warned), 'Warn').toHaveLength(1);
      }
      const ignored = await send('Ignore');
      expect(ignored.status, 'Ignore').toBe(200);
      expect(warnings(ignored), 'Ignore').toEqual([]);
    },
  }),

  // With `Ignore` the write succeeds and nothing is said of the dropped fields.
  defineRule('fields.validation.ignore', {
    ...everyKind,
    sabotage: [
      ignoreQuery('fieldValidation', posts),
      forceQuery('fieldValidation', 'Strict', posts),
      changeAnswer('keeps unknown fields', (body) => ({ ...body, shape: 'round' }), posts),
    ],
    async check({ objects, expect }) {
      const answer = await objects.post(await faulty(objects), { fieldValidation: 'Ignore' });
      expect(answer.status).toBe(201);
      expect(answer.body).not.toHaveProperty('shape');
      expect(answer.body.metadata).not.toHaveProperty('size');
      expect(warnings(answer)).toEqual([]);
    },
  }),

  // With `Warn` the write succeeds and each unknown or duplicate field has its `Warning` header.
  defineRule('fields.validation.warn', {
    ...everyKind,
    sabotage: [
      forceQuery('fieldValidation', 'Ignore', posts),
      forceQuery('fieldValidation', 'Strict', posts),
      answerHeader('warning', '299 - "something is odd"', posts),
      answerHeader('warning', undefined, { method: 'POST', path: /\/jobs$/ }),
      answerHeader('warning', undefined, { method: 'POST', header: { accept: /as=Table/ } }),
      answerHeader('warning', undefined, { method: 'POST', header: { accept: /q=/ } }),
      answerHeader('warning', '299 - "unknown field "shape""', posts),
      answerHeader('warning', undefined, { method: 'POST', body: /"shape":null/ }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const answer = await objects.post(await faulty(objects), { fieldValidation: 'Warn' });
      expect(answer.status).toBe(201);
      expect(answer.body).not.toHaveProperty('shape');
      const texts = warnings(answer);
      expect(texts, 'one a field').toHaveLength(3);
      for (const text of texts) expect(text, 'a code, an agent and a quoted text').toMatch(warningForm);
      for (const field of faults)
        expect(
          texts.filter((text) => text.includes(field)),
          field,
        ).toHaveLength(1);
      expect(
        warnings(await objects.post(await objects.draft(), { fieldValidation: 'Warn' })),
        'without faults',
      ).toEqual([]);
      const twice = warnings(await objects.post(spoiltTwice(await objects.draft()), dry));
      expect(twice, 'one an item of a list').toHaveLength(2);
      if (!kind.custom) await warnsOfNothing(objects, expect);
      await warnsInForms(context, objects, kind);
    },
  }),

  // Saying nothing means `Warn`.
  defineRule('fields.validation.default', {
    ...everyKind,
    sabotage: [forceQuery('fieldValidation', 'Ignore', posts), forceQuery('fieldValidation', 'Strict', posts)],
    async check({ objects, expect }) {
      const answer = await objects.post(await faulty(objects));
      expect(answer.status).toBe(201);
      expect(warnings(answer)).toHaveLength(3);
      const stored = await objects.read(nameOf(answer.body));
      const put = await objects.put(spoilt(stored), '', { name: nameOf(stored) });
      expect([200, 409], 'update').toContain(put.status);
      if (put.status === 200) expect(warnings(put), 'update').toHaveLength(3);
      const patch = await objects.patch(nameOf(stored), patches.merge);
      expect(warnings(patch), 'patch').toHaveLength(1);
    },
  }),

  // With `Strict` unknown or duplicate fields are answered 400.
  defineRule('fields.validation.strict', {
    ...everyKind,
    sabotage: [
      forceQuery('fieldValidation', 'Warn', posts),
      answerStatus(422, { ...posts, instead: 400 }),
      answerStatus(422, { method: 'POST', path: /\/namespaces$/, instead: 400 }),
      ignoreQuery('fieldValidation', { method: 'PATCH', header: { 'content-type': /apply/ } }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const refused = await objects.post(await faulty(objects), strict);
      expect(refused.status).toBe(400);
      for (const accept of otherForms(context, kind)) {
        const { status } = await objects.post(await faulty(objects), strict, { headers: { accept } });
        expect(status, `to be answered as ${accept}`).toBe(400);
      }
      expect(refused.body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'BadRequest', code: 400 });
      await refusesMade(objects, expect, kind);
      expect((await objects.viewed('labels').list()).items, 'nothing is stored').toEqual([]);
      expect((await objects.post(await objects.draft(), strict)).status, 'without faults').toBe(201);
    },
  }),

  // A refusal by `Strict` names all of the fields.
  defineRule('fields.validation.strict-lists-all', {
    ...everyKind,
    sabotage: [posts, { method: 'PATCH', path: /\/leases\// }].map((match) =>
      changeAnswer('names one field only', (body) => ({ ...body, message: 'unknown field "shape"' }), match),
    ),
    async check({ objects, expect }) {
      const { body } = await objects.post(await faulty(objects), strict);
      for (const field of faults) expect(body?.message).toContain(field);
      const twice = await objects.post(spoiltTwice(await objects.draft()), strict);
      for (const item of [0, 1]) expect(twice.body?.message, 'items of a list').toContain(`[${item}].shape`);
      const name = nameOf(await objects.create());
      const patch = await objects.patch(name, { shape: 'round', colour: 'red' }, { query: strict });
      for (const field of ['shape', 'colour']) expect(patch.body?.message, 'of a patch').toContain(field);
    },
  }),

  // In 1.25 that gate is open, as it was not in 1.23 and 1.24.
  defineRule('fields.validation.gate-default', {
    sabotage: ignoreQuery('fieldValidation', posts),
    async check({ secrets, expect }) {
      const refused = await secrets.post({ ...secrets.sample(), shape: 'round' }, strict);
      expect(refused.status, 'the parameter has an effect').toBe(400);
    },
  }),

  // The feature gate ServerSideFieldValidation decides whether the parameter works at all.
  defineRule('fields.validation.gate', {
    flags: ['--feature-gates=ServerSideFieldValidation=false'],
    sabotage: [
      answerStatus(400, { ...posts, query: { fieldValidation: 'Strict' } }),
      answerHeader('warning', '299 - "unknown field"', posts),
    ],
    async check({ secrets, expect }) {
      const answer = await secrets.post({ ...secrets.sample(), shape: 'round' }, strict);
      expect(answer.status, 'the parameter has no effect').toBe(201);
      expect(answer.body, 'what is unknown goes').not.toHaveProperty('shape');
      const warned = await secrets.post({ ...secrets.sample(), shape: 'round' }, { fieldValidation: 'Warn' });
      expect(warned.headers['warning'], 'nor is there a warning').toBeUndefined();
    },
  }),
];
