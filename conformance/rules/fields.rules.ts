import { listOf, mapOf, objectOf, text } from '../checks/custom/schema-parts.ts';
import { unversioned } from '../checks/requests/writes.ts';
import { defineRule } from '../rule.ts';
import { changesRefused, storesRefused } from '../sabotage/careless.ts';
import { answerStatus } from '../sabotage/transforms.ts';
import type { Collection } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';
import { customType } from '../verbs/custom-types.ts';
import type { Json } from '../verbs/json.ts';
import { merged } from '../verbs/merged.ts';
import { said } from '../verbs/said.ts';
import { nameOf } from '../verbs/states.ts';
import { generalKinds, type Subject } from '../verbs/subjects.ts';

const jobs = { path: /\/jobs(\/[^/]+)?$/ };
const values = ['Ignore', 'Warn', 'Strict'] as const;

/** One more than a field of 32 bits can hold. */
const tooWide = 2 ** 31;
/** More than a field of 64 bits can hold. */
const muchTooWide = 10 ** 19;

/** Values of another type than the field's, in what the kind is about. */
const wrongTypes: Readonly<Record<string, readonly Json[]>> = {
  secrets: [{ data: 'none' }, { data: { a: '-_8=' } }, { data: { a: 'aaaaa' } }, { data: [] }],
  configmaps: [{ data: { a: 7 } }, { binaryData: { a: '-_8=' } }, { data: [] }],
  services: [{ spec: { ports: 'all' } }, { spec: { publishNotReadyAddresses: 'true' } }],
  pods: [{ spec: { activeDeadlineSeconds: 'soon' } }, { spec: { activeDeadlineSeconds: 1.5 } }],
  deployments: [{ spec: { replicas: 'many' } }, { spec: { replicas: tooWide } }, { spec: { replicas: 1.5 } }],
  jobs: [
    ...[{ spec: { backoffLimit: 'six' } }, { spec: { backoffLimit: tooWide } }],
    ...[{ spec: { activeDeadlineSeconds: muchTooWide } }, { spec: { template: [] } }],
  ],
  leases: [{ spec: { leaseDurationSeconds: 'long' } }, { spec: { leaseDurationSeconds: tooWide } }],
  roles: [{ rules: 'all' }, { rules: {} }],
  clusterroles: [{ rules: [{ verbs: 'all' }] }],
  endpointslices: [{ endpoints: [{ addresses: '10.1.2.3' }] }, { ports: [{ port: tooWide }] }],
  ingresses: [{ spec: { ingressClassName: 7 } }],
  ingressclasses: [{ spec: { controller: 7 } }],
  events: [{ note: 7 }, { eventTime: '2024-05-06' }],
  certificatesigningrequests: [{ spec: { usages: 'all' } }, { spec: { request: '-_8=' } }],
  priorityclasses: [{ value: 'high' }, { value: tooWide }],
  widgets: [
    { spec: { size: 'large' } },
    { spec: { words: { a: 'one', b: 7 } } },
    { spec: { marks: ['a', 7] } },
    { spec: { parts: { one: { name: 7 } } } },
    { spec: { entries: [{ name: 'a', value: 7 }] } },
  ],
  gadgets: [{ spec: { flag: 'yes' } }],
};

/** Parts of a custom type that hold others, with what is in order in each and what lacks a field that it needs. */
const needing = objectOf({ key: text }, { required: ['key'] });
const parts: Readonly<Record<string, readonly [schema: Json, sound: Json, lacking: Json]>> = {
  list: [listOf(needing), [{ key: 'a' }], [{ key: 'a' }, {}]],
  map: [mapOf(needing), { one: { key: 'a' } }, { one: { key: 'a' }, two: {} }],
  lists: [listOf(listOf(needing)), [[{ key: 'a' }]], [[{ key: 'a' }], [{}]]],
};

/** What is within lists and maps needs its fields as well, from the second item on too. */
async function requiresInside(context: RuleContext): Promise<void> {
  const of = (nth: 0 | 1): Json => Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part[nth]]));
  const things = await customType(context, { spec: objectOf(of(0)) });
  const object = await things.create({ spec: of(1) });
  for (const [name, [, , lacking]] of Object.entries(parts)) {
    const spec = { [name]: lacking };
    const answers = {
      create: await things.post(things.sample({ spec })),
      update: await things.put(merged(object, { spec })),
      patch: await things.patch(nameOf(object), { spec }),
      apply: await things.tryApply(nameOf(object), { spec }, 'applier', { force: 'true' }),
    };
    for (const [write, { status }] of Object.entries(answers))
      context.expect(status, `what lacks a field in a ${name}, by a ${write}`).toBe(422);
  }
  context.expect((await things.read(nameOf(object))).spec, 'what is stored').toEqual(object.spec);
}

/** Whole numbers, by the kinds that have them. */
const wholes: Readonly<Record<string, Json>> = {
  deployments: { spec: { replicas: 1234 } },
  jobs: { spec: { backoffLimit: 1234 } },
  leases: { spec: { leaseDurationSeconds: 1234 } },
  priorityclasses: { value: 1234 },
};

/** A whole number is written in digits alone: with a fraction or an exponent it is of another type. */
async function refusesFractions(objects: Collection, expect: RuleContext['expect'], { name }: Subject): Promise<void> {
  const whole = wholes[name];
  for (const spelling of whole ? ['1234', '1234.0', '1.234e3'] : []) {
    const text = JSON.stringify(await objects.draft(whole)).replace(/:1234\b/, `:${spelling}`);
    const { status } = await objects.post(text, { dryRun: 'All' });
    expect(status, `${spelling} for a whole number`).toBe(spelling === '1234' ? 201 : 400);
  }
}

/** Bytes are base64, in one line or in several. */
async function takesBytesInLines(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const answer = await objects.post(await objects.draft({ data: { a: 'YWJj\r\nZGVm\n' } }));
  expect(answer.status, `bytes in several lines: ${said(answer)}`).toBe(201);
  expect(answer.body.data?.a, 'bytes in several lines').toBe('YWJjZGVm');
  await objects.remove(nameOf(answer.body));
}

export default [
  // A value of the wrong type is refused, `fieldValidation` or not.
  defineRule('fields.types-validated', {
    matrix: { kind: generalKinds, validation: values },
    sabotage: [
      answerStatus(201, { method: 'POST', ...jobs, instead: 400 }),
      answerStatus(200, { method: 'PUT', ...jobs, instead: 400 }),
      answerStatus(200, { method: 'PATCH', path: /\/secrets\//, instead: [400, 422] }),
      changesRefused({ method: ['PUT', 'PATCH'], path: /\/leases\// }),
    ],
    async check({ objects, expect }, { kind, validation: fieldValidation }) {
      const object = await objects.create();
      const bad = { metadata: { labels: 'none' } };
      const wrong = wrongTypes[kind.name] ?? [];
      await refusesFractions(objects, expect, kind);
      if (kind.name === 'secrets') await takesBytesInLines(objects, expect);
      for (const over of [bad, ...wrong]) {
        const created = await objects.post(await objects.draft(over), { fieldValidation });
        // A custom type's own fields are judged by its schema.
        expect(kind.custom && over !== bad ? [400, 422] : [400], `create: ${said(created)}`).toContain(created.status);
        const put = await objects.put(merged(unversioned(kind, object), over), { fieldValidation });
        expect([400, 422], 'update').toContain(put.status);
        const patched = await objects.patch(nameOf(object), over, { query: { fieldValidation } });
        expect([400, 422], 'patch').toContain(patched.status);
      }
      expect((await objects.viewed('labels').list()).items, 'what is stored').toHaveLength(1);
      if (!kind.busy) expect(await objects.read(nameOf(object)), 'what is stored').toEqual(object);
    },
  }),

  // A missing required field is refused, `fieldValidation` or not.
  defineRule('fields.required', {
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/(jobs|endpointslices)$/, instead: 422 }),
      storesRefused({ path: /\/(jobs|endpointslices)(\/[^/]+)?$/ }),
      answerStatus(201, { method: 'POST', path: /touchstone\.example/, instead: 422 }),
    ],
    async check(context) {
      const { jobs, endpointSlices, capabilities, expect } = context;
      expect((await jobs.post(jobs.sample())).status, 'with all fields').toBe(201);
      for (const fieldValidation of values) {
        const noTemplate = jobs.sample();
        delete noTemplate.spec.template;
        expect(
          (await jobs.post(noTemplate, { fieldValidation })).status,
          `a Job without a template, ${fieldValidation}`,
        ).toBe(422);
        expect((await jobs.get(nameOf(noTemplate))).status, 'that Job').toBe(404);
        const noType = endpointSlices.sample({ addressType: undefined });
        expect(
          (await endpointSlices.post(noType, { fieldValidation })).status,
          `a slice without a type, ${fieldValidation}`,
        ).toBe(422);
        expect((await endpointSlices.get(nameOf(noType))).status, 'that slice').toBe(404);
      }
      if (!capabilities.includes('crd')) return;
      await requiresInside(context);
    },
  }),
];
