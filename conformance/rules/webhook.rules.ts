import { keepsBoth, takingIts } from '../checks/webhooks/held-writes.ts';
import { heardWrites, hookOnWrites, overstated, reviewedKinds } from '../checks/webhooks/reviewed-writes.ts';
import { defineRule } from '../rule.ts';
import { answerStatus, changeRequest, loseWrite, replaceIn } from '../sabotage/transforms.ts';
import { misreadHook, mutatingLast, oneByOne, spoilReview, uncalled } from '../sabotage/webhooks.ts';
import type { Collection } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';
import { customType } from '../verbs/custom-types.ts';
import type { Json } from '../verbs/json.ts';
import { said } from '../verbs/said.ts';
import { nameOf, stateOf, versionOf } from '../verbs/states.ts';
import type { Subject } from '../verbs/subjects.ts';
import { configure, onSecrets, patchWith, type Respond } from '../verbs/webhooks.ts';
import { postHook } from './webhook-field-rules.ts';

const needs = ['webhooks'] as const;
/** Milliseconds that a webhook takes whose calls must overlap. */
const slowness = 800;

/** Nothing is there to be changed in a delete. */
const unlessDeleted =
  (respond: (object: Json) => ReturnType<Respond>): Respond =>
  (review) =>
    review?.request?.operation === 'DELETE' ? { allowed: true } : respond(review?.request?.object);

/** What a mutating webhook makes of what is written through a subresource is stored, whatever was sent. */
async function changesBehind(
  context: RuleContext & { readonly objects: Collection },
  kind: Subject,
  sub: string,
): Promise<void> {
  const { objects, expect } = context;
  const change = sub === 'scale' ? { spec: { replicas: 3 } } : kind.status?.(9);
  const operations = Object.entries(change).map(([member, value]) => ({ op: 'add', path: `/${member}`, value }));
  await hookOnWrites(context, kind, 'mutating', (review) =>
    review?.request?.subResource === sub ? patchWith(...operations) : { allowed: true },
  );
  for (const write of heardWrites(kind).filter((one) => one.sub === sub)) {
    const object = await objects.create();
    const answer = await write.send({ objects, object, kind });
    expect(answer.status, `${write.name}: ${said(answer)}`).toBe(200);
    expect(answer.body, `the answer to ${write.name}`).toMatchObject(change);
    const stored = await objects.get(nameOf(object), '', { sub });
    expect(stored.body, `what is stored by ${write.name}`).toMatchObject(change);
  }
}

/** Makes an object, or the status of an Ingress, what nobody may write. */
const spoiling: Respond = (review) => {
  const status = { op: 'replace', path: '/status', value: { loadBalancer: { ingress: [{ ip: 'no address' }] } } };
  const labels = { op: 'add', path: '/metadata/labels', value: { colour: 'not a value!' } };
  return patchWith(review?.request?.subResource === 'status' ? status : labels);
};

/** What a mutating webhook makes of an object is judged as what clients send: nothing of it is stored or shown to others. */
async function judgesMutated(context: RuleContext): Promise<void> {
  const { secrets, ingresses, expect } = context;
  const written = { apiGroups: ['', 'networking.k8s.io'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'] };
  const rules = [{ ...written, resources: ['secrets', 'ingresses/status'] }];
  let spoils = false;
  await configure(context, 'mutating', [
    { over: { rules }, respond: (review) => (spoils ? spoiling(review) : { allowed: true }) },
  ]);
  const { hooks } = await configure(context, 'validating', [{ over: { rules } }]);
  const [sample, other, route] = [secrets.sample(), await secrets.create(), await ingresses.create()];
  expect(hooks[0]?.received, 'calls for what is in order').toHaveLength(1);
  spoils = true;
  const answers = {
    create: await secrets.post(sample),
    'dry run': await secrets.post(sample, { dryRun: 'All' }),
    update: await secrets.put({ ...other, data: { a: 'aaaa' } }),
    patch: await secrets.patch(nameOf(other), { data: { a: 'aaaa' } }),
    apply: await secrets.tryApply(nameOf(secrets.sample()), {}, 'applier'),
    status: await ingresses.patch(nameOf(route), { status: { loadBalancer: {} } }, { sub: 'status' }),
  };
  for (const [what, { status }] of Object.entries(answers)) expect(status, `a ${what} that is spoilt`).toBe(422);
  expect((await secrets.get(nameOf(sample))).status, 'what is stored').toBe(404);
  expect(versionOf(await secrets.read(nameOf(other))), 'what is stored').toBe(versionOf(other));
  expect(hooks[0]?.received, 'calls for what is spoilt').toHaveLength(1);
}

/** Without what changes by being stored. */
const contentOf = ({ metadata: _, ...content }: Json = {}): Json => content;

export default [
  // Webhooks are reached by HTTPS.
  defineRule('webhook.https', {
    needs,
    sabotage: uncalled,
    async check(context) {
      const { secrets, expect } = context;
      expect([400, 422], 'an address of another scheme').toContain(
        (await postHook(context, 'validatingWebhooks', { clientConfig: { url: 'http://127.0.0.1:9/' } })).status,
      );
      const { hooks } = await configure(context, 'validating', [{}]);
      await secrets.create();
      // The hook speaks nothing but TLS.
      expect(hooks[0]?.received, 'calls over HTTPS').toHaveLength(1);
    },
  }),

  // Every mutating webhook is asked before any validating one.
  defineRule('webhook.mutating-first', {
    needs,
    sabotage: [uncalled, mutatingLast],
    async check(context) {
      const { secrets, expect } = context;
      const { hooks: validating } = await configure(context, 'validating', [{}]);
      const { hooks: mutating } = await configure(context, 'mutating', [{}, {}]);
      await secrets.create();
      const times = [...mutating, ...validating].map(({ received }) => received[0]?.at ?? 0);
      for (const time of times) expect(time, 'each was called').toBeGreaterThan(0);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    },
  }),

  // What a mutating webhook changes is what gets stored.
  defineRule('webhook.mutating-may-change', {
    needs,
    sabotage: [
      uncalled,
      replaceIn('metadata.labels', { method: 'GET', path: /\/secrets\//, with: {} }),
      replaceIn('spec.replicas', { method: 'GET', path: /\/scale$/ }),
    ],
    matrix: { kind: reviewedKinds, part: ['object', 'status', 'scale'] },
    where: ({ kind, part }) => part === 'object' || heardWrites(kind).some(({ sub }) => sub === part),
    async check(context, { kind, part }) {
      if (part !== 'object') return changesBehind(context, kind, part);
      const { objects, expect } = context;
      let by = 'nobody';
      await hookOnWrites(
        context,
        kind,
        'mutating',
        unlessDeleted(() => patchWith({ op: 'add', path: '/metadata/labels/by', value: by })),
        // What the first one did is there for the second.
        unlessDeleted(({ metadata }) =>
          patchWith({ op: 'add', path: '/metadata/labels/after', value: metadata.labels.by }),
        ),
      );
      for (const write of heardWrites(kind).filter(({ shows, sub }) => shows && sub === '')) {
        by = 'before';
        const object = await objects.create();
        by = write.name.replaceAll(' ', '-');
        const tried = await write.send({ objects, object, kind, query: { dryRun: 'All' } });
        expect(tried.body.metadata?.labels?.after, `${write.name}, tried`).toBe(by);
        const answer = await write.send({ objects, object, kind });
        expect(answer.status, `${write.name}: ${said(answer)}`).toBeLessThan(300);
        const stored = await objects.read(nameOf(answer.body));
        for (const { metadata } of [answer.body, stored]) {
          expect(metadata.labels.by, write.name).toBe(by);
          expect(metadata.labels.after, `${write.name}, what the second one saw`).toBe(by);
        }
      }
    },
  }),

  // Validating webhooks are shown the object with all changes made.
  defineRule('webhook.validating-after-mutation', {
    needs,
    matrix: { kind: reviewedKinds },
    sabotage: [
      uncalled,
      spoilReview('request.object.metadata', {}),
      spoilReview('request.object.status', { phase: 'Other' }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const received = await hookOnWrites(context, kind, 'validating');
      let by = 'nobody';
      const label = () => patchWith({ op: 'add', path: '/metadata/labels/by', value: by });
      await hookOnWrites(context, kind, 'mutating', unlessDeleted(label));
      const shown = [...heardWrites(kind), ...overstated].filter(({ shows, fits }) => shows && fits(kind));
      for (const write of shown) {
        by = 'before';
        const object = await objects.create();
        by = write.name.replaceAll(' ', '-');
        const answered = await write.send({ objects, object, kind });
        expect(answered.status, `${write.name}: ${said(answered)}`).toBeLessThan(300);
        const { subResource = '', object: seen } = received().at(-1) ?? {};
        expect(subResource, `the subresource of ${write.name}`).toBe(write.sub);
        if (write.sub === '') expect(seen?.metadata?.labels?.by, write.name).toBe(by);
        expect(contentOf(seen), `what is shown of ${write.name}, and stored`).toEqual(contentOf(answered.body));
      }
    },
  }),

  // An object that does not fit its schema is shown to no validating webhook.
  defineRule('webhook.validating-after-schema', {
    needs: ['webhooks', 'crd'],
    sabotage: [
      uncalled,
      changeRequest(
        'shows what does not fit as well',
        (body) => (body?.spec?.size === 10 ? { ...body, spec: { size: 9 } } : body),
        { method: 'POST', body: /"size":10/ },
      ),
    ],
    async check(context) {
      const { expect } = context;
      const things = await customType(context, {
        spec: { type: 'object', properties: { size: { type: 'integer', maximum: 9 } } },
      });
      const rules = [
        { apiGroups: [things.at.group], apiVersions: ['v1'], resources: [things.at.resource], operations: ['CREATE'] },
      ];
      const { hooks } = await configure(context, 'validating', [{ over: { rules } }]);
      expect((await things.post(things.sample({ spec: { size: 10 } }))).status, 'against the schema').toBe(422);
      expect(hooks[0]?.received, 'calls for it').toEqual([]);
      expect((await things.post(things.sample({ spec: { size: 9 } }))).status, 'fitting the schema').toBe(201);
      expect(hooks[0]?.received, 'calls for it').toHaveLength(1);
      await judgesMutated(context);
    },
  }),

  // The validating webhooks of a request are asked all at once.
  defineRule('webhook.validating-parallel', {
    needs,
    races: true,
    sabotage: [uncalled, oneByOne(slowness), loseWrite({ method: 'PATCH', path: /\/secrets\// })],
    async check(context) {
      const { secrets, expect } = context;
      const slow = {
        over: { rules: onSecrets('CREATE', 'UPDATE') },
        respond: takingIts({ CREATE: slowness, UPDATE: slowness / 4 }),
      };
      const { hooks } = await configure(context, 'validating', [slow, slow, slow]);
      const object = await secrets.create();
      const times = hooks.map(({ received }) => received[0]?.at ?? Number.NaN);
      expect(Math.max(...times) - Math.min(...times), 'milliseconds between the first call and the last').toBeLessThan(
        slowness,
      );
      await keepsBoth(context, object);
    },
  }),

  // A single no is enough to refuse the request.
  defineRule('webhook.any-rejection-fails', {
    needs,
    matrix: { kind: reviewedKinds, type: ['validating', 'mutating'] },
    where: ({ kind, type }) => type === 'validating' || kind.name === 'secrets' || kind.name === 'widgets',
    sabotage: [
      uncalled,
      misreadHook('heeds nobody', (hook) => ({
        ...hook,
        objectSelector: { matchLabels: { 'touchstone/none': 'such' } },
      })),
      answerStatus(200, { method: 'PATCH', path: /\/status$/, instead: 400 }),
    ],
    async check(context, { kind, type }) {
      const { objects, secrets, version, expect } = context;
      let allowed = true;
      await hookOnWrites(context, kind, type, () => ({ allowed }));
      for (const write of heardWrites(kind, version)) {
        allowed = true;
        const object = await objects.create();
        const before = await stateOf(objects, kind);
        allowed = false;
        const { status, body } = await write.send({ objects, object, kind });
        expect(status, write.name).toBeGreaterThanOrEqual(400);
        expect(body, write.name).toMatchObject({ kind: 'Status', status: 'Failure' });
        expect(await stateOf(objects, kind), `what is stored after ${write.name}`).toEqual(before);
      }
      // What is left behind can go.
      allowed = true;
      if (kind.name !== 'secrets') return;
      await objects.viewed('labels').deleteAll();
      await configure(context, type, [{}, { respond: () => ({ allowed: false }) }, {}]);
      expect((await secrets.post(secrets.sample())).status, 'one among three').toBeGreaterThanOrEqual(400);
      expect((await secrets.list()).items, 'what is stored then').toEqual([]);
    },
  }),
];
