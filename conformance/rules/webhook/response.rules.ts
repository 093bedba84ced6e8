import { withoutDomain } from '../../checks/apply/patch-meanings.ts';
import { fillsPatched, fillsReplaced } from '../../checks/webhooks/patched-objects.ts';
import { refusesPatchedDeletes, refusesPatches } from '../../checks/webhooks/unfit-patches.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { answerHeader, answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import { cutsWarnings } from '../../sabotage/warnings.ts';
import { misreadMember, uncalled } from '../../sabotage/webhooks.ts';
import type { Answer, Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { nameOf } from '../../verbs/states.ts';
import { configure, labelling, patchWith, type Respond } from '../../verbs/webhooks.ts';

const needs = ['webhooks'] as const;
const posts = { method: 'POST', path: /\/secrets$/ };
const onSecrets = [
  { apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE', 'UPDATE', 'DELETE'] },
];
const onStatus = [
  { apiGroups: ['networking.k8s.io'], apiVersions: ['v1'], resources: ['ingresses/status'], operations: ['UPDATE'] },
];
const forgiving = misreadMember('failurePolicy', 'Ignore');

/** The answer to a create of a Secret when a webhook answers so. */
async function answered(context: RuleContext, type: 'mutating' | 'validating', respond: Respond): Promise<Answer> {
  await configure(context, type, [{ respond }]);
  return context.secrets.post(context.secrets.sample());
}

const response = (review: Json, parts: Json = {}): Json => ({
  apiVersion: review?.apiVersion,
  kind: 'AdmissionReview',
  response: { uid: review?.request?.uid, allowed: true, ...parts },
});

/** A good answer is taken; one that is wrong in this way is a failed call. */
const failedCall = (id: string, wrong: readonly Respond[], type: 'mutating' | 'validating' = 'validating'): Rule =>
  defineRule(`webhook.response.${id}`, {
    needs,
    sabotage: [forgiving, answerStatus(201, { ...posts, instead: 500 })],
    async check(context) {
      const { secrets, expect } = context;
      let respond: Respond = () => ({ allowed: true });
      await configure(context, type, [{ respond: (review) => respond(review) }]);
      expect((await secrets.post(secrets.sample())).status, 'a proper answer').toBe(201);
      for (const bad of wrong) {
        respond = bad;
        const sample = secrets.sample();
        expect((await secrets.post(sample)).status, 'a wrong answer').toBeGreaterThanOrEqual(500);
        expect((await secrets.get(sample.metadata.name)).status, 'what is stored then').toBe(404);
      }
    },
  });

const denied =
  (status?: Json): Respond =>
  () => ({ allowed: false, ...(status ? { status } : {}) });

/** What a no says of itself, and the code that the client gets: a no is never a success. */
const codes: readonly (readonly [Json, number])[] = [
  [{ code: 451, message: 'not here' }, 451],
  [{ code: 200 }, 400],
  [{ code: 201, status: 'Success' }, 400],
  [{ code: 302 }, 400],
];

/** What is no yes, by the names of objects; a yes stands for all others. */
const refusing: Readonly<Record<string, Json>> = { bad: false, silent: undefined, worded: 'true', numbered: 1 };

/** What goes with a no is not looked at where there is a yes. */
const gladly: Json = { status: { code: 403, message: 'not today' } };

const allowing: Respond = (review) => {
  const [sort = ''] = String(review?.request?.name).split('-');
  return { raw: { body: response(review, sort in refusing ? { allowed: refusing[sort] } : gladly) } };
};

const dry = { dryRun: 'All' };
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';

/** The answers to a write of each sort. */
const writes = async (
  { secrets, ingresses }: RuleContext,
  name: string,
  route: string,
): Promise<Readonly<Record<string, Answer>>> => ({
  create: await secrets.post(secrets.sample()),
  'create that is only tried': await secrets.post(secrets.sample(), dry),
  'create to be answered as a table': await secrets.post(secrets.sample(), '', { headers: { accept: table } }),
  'patch to be answered as a table': await secrets.patch(name, { data: { a: 'cccc' } }, { headers: { accept: table } }),
  patch: await secrets.patch(name, { data: { a: 'aaaa' } }),
  'patch that is only tried': await secrets.patch(name, { data: { a: 'bbbb' } }, { query: dry }),
  apply: await secrets.tryApply(name, { data: { b: 'bbbb' } }, 'applier'),
  'delete that is only tried': await secrets.delete(name, { query: dry }),
  status: await ingresses.patch(route, { status: { loadBalancer: {} } }, { sub: 'status' }),
  delete: await secrets.delete(name),
});

export default [
  failedCall('http', [
    (review) => ({ raw: { status: 500, body: response(review) } }),
    (review) => ({ raw: { status: 404, body: response(review) } }),
    ...['', 'no JSON', []].map((body) => () => ({ raw: { body } })),
    (review) => ({ raw: { body: { ...response(review), response: undefined } } }),
  ]),
  failedCall('same-version', [
    (review) => ({ raw: { body: { ...response(review), apiVersion: 'admission.k8s.io/v1beta1' } } }),
    (review) => ({ raw: { body: { ...response(review), apiVersion: 'other.k8s.io/v1' } } }),
    (review) => ({ raw: { body: { ...response(review), kind: 'Other' } } }),
    (review) => ({ raw: { body: { ...response(review), kind: undefined } } }),
  ]),
  failedCall('uid', [
    (review) => ({ raw: { body: response(review, { uid: 'another' }) } }),
    (review) => ({ raw: { body: response(review, { uid: '' }) } }),
    (review) => ({ raw: { body: response(review, { uid: undefined }) } }),
    (review) => ({ raw: { body: response(review, { uid: 'another', allowed: false }) } }),
  ]),
  failedCall(
    'patch-type',
    [
      ...['MergePatch', undefined].map((patchType) => () => ({ ...labelling('a', 'b'), patchType })),
      () => ({ allowed: true, patchType: 'JSONPatch' }),
    ],
    'mutating',
  ),
  failedCall('patch.mutating-only', [
    () => labelling('a', 'b'),
    () => ({ allowed: true, patchType: 'JSONPatch' }),
    () => ({ ...labelling('a', 'b'), patchType: undefined }),
  ]),

  // `allowed` says yes or no, and must be there.
  defineRule('webhook.response.allowed', {
    needs,
    sabotage: [uncalled, answerStatus(201, { ...posts, instead: 400 })],
    async check(context) {
      const { secrets, expect } = context;
      for (const type of ['validating', 'mutating'] as const) {
        await configure(context, type, [{ respond: allowing }]);
        const good = `good-${type}`;
        expect((await secrets.post(secrets.sample({ metadata: { name: good } }))).status, `${type}: true`).toBe(201);
        expect((await secrets.get(good)).status, 'the allowed object').toBe(200);
        for (const [sort, said] of Object.entries(refusing)) {
          const name = `${sort}-${type}`;
          const refused = await secrets.post(secrets.sample({ metadata: { name } }));
          expect(refused.status, `${type}: ${JSON.stringify(said)}`).toBeGreaterThanOrEqual(400);
          expect(refused.body).toMatchObject({ kind: 'Status', status: 'Failure' });
          expect((await secrets.get(name)).status, 'the refused object').toBe(404);
        }
      }
    },
  }),

  // `status.code` of a no is the code the client gets.
  defineRule('webhook.response.status.code', {
    needs,
    sabotage: [
      uncalled,
      answerStatus(400, { ...posts, instead: 451 }),
      answerStatus(200, { method: 'DELETE', instead: 400 }),
    ],
    async check(context) {
      const { secrets, expect } = context;
      const object = await secrets.create();
      let said: Json;
      await configure(context, 'validating', [{ over: { rules: onSecrets }, respond: () => denied(said)({}) }]);
      for (const [status, code] of codes) {
        said = status;
        const answers = {
          create: await secrets.post(secrets.sample()),
          'create that is only tried': await secrets.post(secrets.sample(), dry),
          patch: await secrets.patch(nameOf(object), { data: { a: 'aaaa' } }),
          delete: await secrets.delete(nameOf(object)),
        };
        for (const [what, answer] of Object.entries(answers)) {
          expect(answer.status, `${what}, refused with ${status.code}`).toBe(code);
          expect(answer.body, what).toMatchObject({ kind: 'Status', status: 'Failure', code });
        }
      }
      expect(await secrets.read(nameOf(object)), 'what is stored').toEqual(object);
    },
  }),

  // `status.message` of a no is in the message the client gets.
  defineRule('webhook.response.status.message', {
    needs,
    sabotage: [uncalled, replaceIn('message', { ...posts, with: 'refused' })],
    async check(context) {
      const causes = [{ reason: 'FieldValueInvalid', message: 'no Tuesday', field: 'metadata.name' }];
      const details = { kind: 'Day', retryAfterSeconds: 7, causes };
      const said = { code: 403, message: 'only on Tuesdays', reason: 'Forbidden', details };
      const { body } = await answered(context, 'validating', denied(said));
      context.expect(body?.message ?? '').toContain('only on Tuesdays');
      context.expect(body, 'what else it is').toMatchObject({ reason: 'Forbidden', details });
    },
  }),

  // A no may come without a `status`.
  defineRule('webhook.response.status.optional', {
    needs,
    sabotage: [uncalled, answerStatus(500, { ...posts, instead: 400 })],
    async check(context) {
      const { status, body } = await answered(context, 'validating', denied());
      context.expect(status).toBeGreaterThanOrEqual(400);
      context.expect(status).toBeLessThan(500);
      context.expect(body).toMatchObject({ kind: 'Status', status: 'Failure' });
    },
  }),

  // `patch` is a JSON patch in base64, and is applied.
  defineRule('webhook.response.patch', {
    needs,
    sabotage: [
      uncalled,
      replaceIn('metadata.labels', { ...posts, with: {} }),
      answerStatus(201, { ...posts, instead: [400, 422, 500] }),
    ],
    async check(context) {
      const { status, body } = await answered(context, 'mutating', () =>
        patchWith(
          { op: 'add', path: '/metadata/labels', value: { a: 'one' } },
          { op: 'add', path: '/metadata/labels/b', value: 'two' },
          { op: 'replace', path: '/metadata/labels/a', value: 'three' },
          { op: 'add', path: '/metadata/labels/c', value: 'four' },
          { op: 'remove', path: '/metadata/labels/c' },
        ),
      );
      context.expect(status).toBe(201);
      context.expect(withoutDomain(body.metadata.labels ?? {})).toEqual({ a: 'three', b: 'two' });
      const { status: untouched } = await answered(context, 'mutating', () => patchWith());
      context.expect(untouched, 'a patch of no operations').toBe(201);
      await refusesPatchedDeletes(context);
      await refusesPatches(context);
      await fillsPatched(context);
      await fillsReplaced(context);
    },
  }),

  // A patch beside a no changes nothing.
  defineRule('webhook.response.patch.allowed', {
    needs,
    sabotage: uncalled,
    async check(context) {
      const { secrets, expect } = context;
      await configure(context, 'mutating', [
        { respond: (review) => ({ ...labelling('patched', 'yes'), allowed: review?.request?.name === 'good' }) },
      ]);
      const good = await secrets.post(secrets.sample({ metadata: { name: 'good' } }));
      expect(withoutDomain(good.body?.metadata?.labels ?? {}), 'with allowed true').toEqual({ patched: 'yes' });
      const bad = await secrets.post(secrets.sample({ metadata: { name: 'bad' } }));
      expect(bad.status, 'with allowed false').toBeGreaterThanOrEqual(400);
      expect((await secrets.get('bad')).status).toBe(404);
    },
  }),

  // Each of the `warnings` reaches the client as a `Warning` header of code 299.
  defineRule('webhook.response.warnings', {
    needs,
    matrix: { type: ['validating', 'mutating'], answer: ['allowed', 'changed', 'refused'] },
    sabotage: [
      uncalled,
      answerHeader('warning', undefined, posts),
      cutsWarnings(256),
      answerHeader('warning', undefined, { method: ['POST', 'PATCH'], header: { accept: /as=Table/ } }),
      answerHeader('warning', '299 - "said by nobody"', { method: 'PATCH', path: /\/secrets\// }),
    ],
    async check(context, { type, answer }) {
      const { secrets, expect } = context;
      // Only when all together are very long may they be cut.
      const words = ['mind the gap', 'second thought', 'on and on '.repeat(30).trim()];
      let refuses = false;
      const over = { rules: [...onSecrets, ...onStatus] };
      const route = await context.ingresses.create();
      const more = 'said by another';
      const usual = (await secrets.post(secrets.sample())).all('warning').length;
      const changes = (review: Json): Json =>
        answer === 'changed' && type === 'mutating' && review?.request?.object ? labelling('told', 'yes') : {};
      await configure(context, type, [
        { over, respond: (review) => ({ allowed: true, ...changes(review), warnings: [more] }) },
        // Nobody hears it of a webhook that fails, and the others are heard all the same.
        {
          over: { ...over, failurePolicy: 'Ignore' },
          respond: () => ({ allowed: true, patch: 'e30=', warnings: ['a'] }),
        },
        { over, respond: () => ({ allowed: !refuses, warnings: words }) },
      ]);
      const { metadata } = await secrets.create();
      refuses = answer === 'refused';
      const answers = await writes(context, metadata.name, nameOf(route));
      for (const [what, { status, all }] of Object.entries(answers)) {
        if (refuses) expect(status, what).toBeGreaterThanOrEqual(400);
        else expect(status, what).toBeLessThan(300);
        const texts = all('warning').join(', ');
        for (const text of [more, ...words]) expect(texts, what).toMatch(new RegExp(`299 \\S+ "${text}"`));
        // Who else is asked on this cluster may have said something before.
        if (usual === 0) expect(texts.match(/\b299 \S+ "/g), `${what}: nothing else`).toHaveLength(words.length + 1);
      }
    },
  }),
];
