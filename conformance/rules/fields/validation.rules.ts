import { defineRule } from '../../rule.ts';
import { answerHeader, answerStatus, changeAnswer, forceQuery, ignoreQuery } from '../../sabotage/transforms.ts';
import type { Answer, Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';

const posts = { method: 'POST', path: /\/secrets$/ };

/** A body with the unknown fields `shape` and `size` and the duplicate field `immutable`. */
function faulty(secrets: Collection): string {
  const object = JSON.stringify({ ...secrets.sample(), shape: 'round', size: 7 });
  return `${object.slice(0, -1)},"immutable":false,"immutable":true}`;
}

const warnings = (answer: Answer): readonly string[] =>
  answer.all('warning').flatMap((value) => value.split(/, (?=299 )/));

const strict = { fieldValidation: 'Strict' };

export default [
  defineRule('fields.validation.post', {
    sabotage: ignoreQuery('fieldValidation', posts),
    async check({ secrets, expect }) {
      expect((await secrets.post(faulty(secrets), strict)).status, 'Strict').toBe(400);
      expect((await secrets.post(faulty(secrets), { fieldValidation: 'Ignore' })).status, 'Ignore').toBe(201);
    },
  }),

  defineRule('fields.validation.put', {
    sabotage: ignoreQuery('fieldValidation', { method: 'PUT' }),
    async check({ secrets, expect }) {
      const object = { ...(await secrets.create()), shape: 'round' };
      expect((await secrets.put(object, strict)).status, 'Strict').toBe(400);
      const ignored = await secrets.put(object, { fieldValidation: 'Ignore' });
      expect(ignored.status, 'Ignore').toBe(200);
      expect(warnings(ignored), 'Ignore').toEqual([]);
    },
  }),

  defineRule('fields.validation.patch', {
    sabotage: ignoreQuery('fieldValidation', { method: 'PATCH' }),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      const patches = {
        merge: { shape: 'round' },
        strategic: { shape: 'round' },
        json: [{ op: 'add', path: '/shape', value: 'round' }],
      };
      for (const [type, patch] of Object.entries(patches) as [keyof typeof patches, Json][]) {
        const refused = await secrets.patch(metadata.name, patch, { type, query: strict });
        // Genuine servers answer 422 to a patch where a whole body is answered 400.
        expect([400, 422], `Strict, ${type} patch`).toContain(refused.status);
        const ignored = await secrets.patch(metadata.name, patch, { type, query: { fieldValidation: 'Ignore' } });
        expect(ignored.status, `Ignore, ${type} patch`).toBe(200);
        expect(warnings(ignored), `Ignore, ${type} patch`).toEqual([]);
      }
    },
  }),

  defineRule('fields.validation.ignore', {
    sabotage: [
      ignoreQuery('fieldValidation', posts),
      forceQuery('fieldValidation', 'Strict', posts),
      changeAnswer('keeps unknown fields', (body) => ({ ...body, shape: 'round' }), posts),
    ],
    async check({ secrets, expect }) {
      const answer = await secrets.post(faulty(secrets), { fieldValidation: 'Ignore' });
      expect(answer.status).toBe(201);
      expect(answer.body).not.toHaveProperty('shape');
      expect(answer.body).not.toHaveProperty('size');
      expect(warnings(answer)).toEqual([]);
    },
  }),

  defineRule('fields.validation.warn', {
    sabotage: [
      forceQuery('fieldValidation', 'Ignore', posts),
      forceQuery('fieldValidation', 'Strict', posts),
      answerHeader('warning', '299 - "something is odd"', posts),
    ],
    async check({ secrets, expect }) {
      const answer = await secrets.post(faulty(secrets), { fieldValidation: 'Warn' });
      expect(answer.status).toBe(201);
      expect(answer.body).not.toHaveProperty('shape');
      const texts = warnings(answer);
      expect(texts, 'one a field').toHaveLength(3);
      for (const text of texts) expect(text).toMatch(/^299 /);
      for (const field of ['shape', 'size', 'immutable'])
        expect(
          texts.filter((text) => text.includes(field)),
          field,
        ).toHaveLength(1);
    },
  }),

  defineRule('fields.validation.default', {
    sabotage: [forceQuery('fieldValidation', 'Ignore', posts), forceQuery('fieldValidation', 'Strict', posts)],
    async check({ secrets, expect }) {
      const answer = await secrets.post(faulty(secrets));
      expect(answer.status).toBe(201);
      expect(warnings(answer)).toHaveLength(3);
    },
  }),

  defineRule('fields.validation.strict', {
    sabotage: [forceQuery('fieldValidation', 'Warn', posts), answerStatus(422, { ...posts, instead: 400 })],
    async check({ secrets, expect }) {
      const body = faulty(secrets);
      const refused = await secrets.post(body, strict);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({ kind: 'Status', status: 'Failure', code: 400 });
      expect((await secrets.list()).items, 'nothing is stored').toEqual([]);
      expect((await secrets.post(secrets.sample(), strict)).status, 'without faults').toBe(201);
    },
  }),

  defineRule('fields.validation.strict-lists-all', {
    sabotage: changeAnswer('names one field only', (body) => ({ ...body, message: 'unknown field "shape"' }), posts),
    async check({ secrets, expect }) {
      const { body } = await secrets.post(faulty(secrets), strict);
      for (const field of ['shape', 'size', 'immutable']) expect(body?.message).toContain(`"${field}"`);
    },
  }),

  defineRule('fields.validation.gate-default', {
    sabotage: ignoreQuery('fieldValidation', posts),
    async check({ secrets, expect }) {
      const refused = await secrets.post({ ...secrets.sample(), shape: 'round' }, strict);
      expect(refused.status, 'the parameter has an effect').toBe(400);
    },
  }),

  defineRule('fields.validation.gate', {
    flags: ['--feature-gates=ServerSideFieldValidation=false'],
    sabotage: answerStatus(400, { ...posts, query: { fieldValidation: 'Strict' } }),
    async check({ secrets, expect }) {
      const answer = await secrets.post({ ...secrets.sample(), shape: 'round' }, strict);
      expect(answer.status, 'the parameter has no effect').toBe(201);
    },
  }),
];
