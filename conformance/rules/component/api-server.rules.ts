import { defineRule } from '../../rule.ts';
import { acceptsInvalid } from '../../sabotage/careless.ts';
import { answerStatus, removeIn } from '../../sabotage/transforms.ts';
import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';

const text = { type: 'string' };

/** What the values of a custom type may be. */
const limited = {
  spec: {
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 1, maximum: 9 },
      colour: { ...text, enum: ['red', 'blue'] },
      word: { ...text, maxLength: 3, minLength: 1 },
      code: { ...text, pattern: '^[a-z]+$' },
      steps: { type: 'array', maxItems: 2, items: { type: 'integer', enum: [1, 2, 3] } },
    },
  },
  status: { type: 'object', properties: { ready: { type: 'integer', maximum: 9 } } },
  version: { subresources: { status: {} } },
};

const fitting: readonly Json[] = [
  { size: 1, word: 'äöü', code: 'abc', steps: [3, 1] },
  { size: 9, colour: 'blue', steps: [] },
];

const unfit: readonly Json[] = [
  { size: 0 },
  { size: 10 },
  { size: 1.5 },
  { size: '1' },
  { colour: 'red', size: null },
  { size: 1, colour: 'green' },
  { size: 1, word: 'abcd' },
  { size: 1, word: '' },
  { size: 1, code: 'ab1' },
  { size: 1, steps: [1, 2, 3] },
  { size: 1, steps: [4] },
];

/** A spec in place of the one that is there, in all the ways of changing it. */
const changes = (things: Collection, object: Json, spec: Json): Readonly<Record<string, () => Promise<Answer>>> => ({
  update: () => things.put({ ...object, spec }),
  'merge patch': () => things.patch(object.metadata.name, { spec }),
  'JSON patch': () => things.patch(object.metadata.name, [{ op: 'add', path: '/spec', value: spec }], { type: 'json' }),
  apply: () => things.tryApply(object.metadata.name, { spec }, 'applier', { force: 'true' }),
});

async function judgesCustom(context: RuleContext): Promise<void> {
  const { expect } = context;
  const things = await customType(context, limited);
  for (const spec of fitting)
    expect((await things.post(things.sample({ spec }))).status, JSON.stringify(spec)).toBe(201);
  const object = await things.create({ spec: { size: 5 } });
  const { name } = object.metadata;
  for (const spec of unfit) {
    const what = JSON.stringify(spec);
    expect((await things.post({ ...things.sample(), spec })).status, `${what} by create`).toBe(422);
    for (const [write, send] of Object.entries(changes(things, object, spec))) {
      const { status } = await send();
      expect(status, `${what} by ${write}`).toBeGreaterThanOrEqual(400);
      // A genuine server takes a type that does not fit an applied configuration for a fault of its own.
      if (write !== 'apply') expect(status, `${what} by ${write}`).toBeLessThan(500);
    }
  }
  const sub = 'status';
  const ready = { status: { ready: 10 } };
  expect((await things.put({ ...object, ...ready }, '', { sub })).status, 'a status by update').toBe(422);
  expect((await things.patch(name, ready, { sub })).status, 'a status by patch').toBe(422);
  expect(await things.read(name), 'what is stored').toEqual(object);
}

/** Defaults at every depth; null is replaced where it is not allowed. */
const defaulted = {
  spec: {
    type: 'object',
    default: {},
    properties: {
      colour: { ...text, default: 'red' },
      note: { ...text, default: 'none', nullable: true },
      inner: { type: 'object', default: {}, properties: { size: { type: 'integer', default: 7 } } },
      parts: {
        type: 'array',
        items: { type: 'object', properties: { name: text, kind: { ...text, default: 'plain' } } },
      },
    },
  },
};

const filled = { colour: 'red', note: 'none', inner: { size: 7 } };

/** What is sent as spec, and what is shown then. */
const specs: readonly (readonly [Json, Json])[] = [
  [{}, filled],
  [
    { colour: 'blue', inner: {} },
    { ...filled, colour: 'blue' },
  ],
  [
    { note: null, inner: { size: 0 } },
    { ...filled, note: null, inner: { size: 0 } },
  ],
  [
    { parts: [{ name: 'a' }, { kind: 'other' }] },
    { ...filled, parts: [{ name: 'a', kind: 'plain' }, { kind: 'other' }] },
  ],
];

async function fillsCustom(context: RuleContext): Promise<void> {
  const { expect } = context;
  const things = await customType(context, defaulted);
  for (const [spec, shown] of specs) {
    const made = await things.post({ ...things.sample(), spec });
    expect(made.body?.spec, `${JSON.stringify(spec)} by create`).toEqual(shown);
    for (const write of ['update', 'JSON patch'] as const) {
      const object = await things.create({ spec: { colour: 'green', note: 'some', parts: [] } });
      const answer = await changes(things, object, spec)[write]?.();
      expect(answer?.body?.spec, `${JSON.stringify(spec)} by ${write}`).toEqual(shown);
      expect((await things.read(object.metadata.name)).spec, 'as stored').toEqual(shown);
    }
  }
}

export default [
  // Objects are checked before they are stored.
  defineRule('component.api-server.validates', {
    matrix: { of: ['built-in kinds', { name: 'a custom type', needs: ['crd'] }] },
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/(secrets|jobs)$/, instead: 422 }),
      acceptsInvalid({ method: 'PATCH', path: /touchstone\.example/ }),
      acceptsInvalid({ method: 'PUT', path: /\/status$/ }),
    ],
    async check(context, { of }) {
      if (typeof of !== 'string') return judgesCustom(context);
      const { secrets, jobs, expect } = context;
      const badName = await secrets.post(secrets.sample({ metadata: { name: 'Not_A_Name' } }));
      expect(badName.status, 'a bad name').toBe(422);
      expect((await jobs.post(jobs.sample({ spec: { backoffLimit: -1 } }))).status, 'a negative limit').toBe(422);
      expect((await secrets.list()).items, 'nothing is stored').toEqual([]);
    },
  }),

  // Defaults and the fields that belong to the server are filled in before an object is stored.
  defineRule('component.api-server.configures', {
    matrix: { of: ['built-in kinds', { name: 'a custom type', needs: ['crd'] }] },
    sabotage: [
      removeIn('spec.backoffLimit'),
      removeIn('metadata.uid', { path: /\/jobs/ }),
      removeIn('spec.parts.*.kind', { path: /touchstone\.example/ }),
    ],
    async check(context, { of }) {
      if (typeof of !== 'string') return fillsCustom(context);
      const { jobs, expect } = context;
      const { status, body } = await jobs.post(jobs.sample());
      expect(status).toBe(201);
      expect(body.metadata.uid, 'a field of the server').toBeTypeOf('string');
      expect(body.metadata.creationTimestamp, 'a field of the server').toBeTypeOf('string');
      expect(body.spec.backoffLimit, 'a default').toBe(6);
    },
  }),
];
