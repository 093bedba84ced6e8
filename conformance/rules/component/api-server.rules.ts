import { defineRule } from '../../rule.ts';
import { acceptsInvalid } from '../../sabotage/careless.ts';
import { answerStatus, removeIn } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { judgesCustom, specChanges } from '../../verbs/judged-custom.ts';
import { judgesDefinitions, judgesKind } from '../../verbs/judged-objects.ts';
import { judgedKinds } from '../../verbs/unfit-objects.ts';

const text = { type: 'string' };

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
      const answer = await specChanges(things, object, spec)[write]?.();
      expect(answer?.body?.spec, `${JSON.stringify(spec)} by ${write}`).toEqual(shown);
      expect((await things.read(object.metadata.name)).spec, 'as stored').toEqual(shown);
    }
  }
}

export default [
  // Objects are checked before they are stored.
  defineRule('component.api-server.validates', {
    matrix: {
      of: [
        ...judgedKinds,
        { name: 'a custom type', needs: ['crd'], judge: judgesCustom },
        { name: 'the definition of a custom type', needs: ['crd'], judge: judgesDefinitions },
      ],
    },
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/(secrets|jobs)$/, instead: 422 }),
      acceptsInvalid({ method: 'PUT', path: /\/poddisruptionbudgets\// }),
      acceptsInvalid({ method: 'PATCH', path: /touchstone\.example/ }),
      acceptsInvalid({ method: 'PUT', path: /\/status$/ }),
      acceptsInvalid({ method: 'PUT', path: /\/customresourcedefinitions\// }),
    ],
    check: (context, { of }) => ('judge' in of ? of.judge(context) : judgesKind(context, of)),
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
