import { otherForms } from '../../checks/lists/selecting-forms.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, changeAnswer, ignoreQuery } from '../../sabotage/transforms.ts';
import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { named, type Subject } from '../../verbs/subjects.ts';

const future = { query: { resourceVersion: true } };
const forgetful = ignoreQuery('resourceVersion');

/** A version far ahead of any that exists: only where versions are numbers can one be made. */
async function unknownVersion({ secrets, skip }: RuleContext): Promise<string> {
  const { metadata } = await secrets.create();
  if (!/^\d+$/.test(metadata.resourceVersion)) skip('versions are no numbers, so that none can be made up');
  return String(BigInt(metadata.resourceVersion) + 1_000_000_000n);
}

/** What is below an object and shows the whole of it. */
const partsOf = ({ status, name }: Subject): readonly string[] => [
  ...(status ? ['status'] : []),
  ...(name === 'certificatesigningrequests' ? ['approval'] : []),
];

/** The refusals of a get and of a list at a version that does not exist yet. */
async function refusals(context: RuleContext, objects: Collection): Promise<{ get: Answer; list: Answer }> {
  const resourceVersion = await unknownVersion(context);
  const { metadata } = await objects.create();
  const [get, list] = await Promise.all([
    objects.get(metadata.name, { resourceVersion }),
    objects.viewed('everywhere').getAll({ resourceVersion }),
  ]);
  return { get, list };
}

/** Of both scopes, built in and custom. */
const someKinds = {
  matrix: {
    kind: named('secrets', 'jobs', 'clusterroles', 'certificatesigningrequests', 'widgets', 'gadgets'),
  },
} as const;

export default [
  // A get at a version that does not exist yet ends, after a moment at most, with 504.
  defineRule('rv.too-large.get', {
    ...someKinds,
    sabotage: [
      forgetful,
      answerStatus(404, { ...future, path: /\/secrets\/[^/]+$/ }),
      ignoreQuery('resourceVersion', { path: /\/status$/ }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const { get } = await refusals(context, objects);
      expect(get.status).toBe(504);
      expect(get.body).toMatchObject({ kind: 'Status', status: 'Failure' });
      const { metadata } = await objects.create();
      const resourceVersion = await unknownVersion(context);
      const look = async (sub: string) => (await objects.get(metadata.name, { resourceVersion }, { sub })).status;
      expect(await Promise.all(partsOf(kind).map(look)), 'of its parts').toEqual(partsOf(kind).map(() => 504));
      const lookAs = async (accept: string) =>
        (await objects.get(metadata.name, { resourceVersion }, { headers: { accept } })).status;
      const forms = otherForms(context, kind);
      expect(await Promise.all(forms.map(lookAs)), 'in other forms').toEqual(forms.map(() => 504));
    },
  }),

  // A list at a version that does not exist yet ends, after a moment at most, with 504.
  defineRule('rv.too-large.list', {
    ...someKinds,
    sabotage: [forgetful, answerStatus(404, { ...future, path: /\/secrets$/ })],
    async check(context) {
      const { list } = await refusals(context, context.objects);
      context.expect(list.status).toBe(504);
      // Read from the store, the refusal is less definite on a genuine server.
      const resourceVersion = await unknownVersion(context);
      const viewed = context.objects.viewed('labels');
      const exact = await viewed.getAll({ resourceVersion, resourceVersionMatch: 'Exact' });
      context.expect(exact.status, 'Exact').toBeGreaterThanOrEqual(400);
      const paged = { resourceVersion, limit: 5 };
      const page = await viewed.getAll({ ...paged, resourceVersionMatch: 'NotOlderThan' });
      context.expect(page.status, 'NotOlderThan, with a limit').toBeGreaterThanOrEqual(400);
      context.expect((await viewed.getAll(paged)).status, 'with a limit').toBeGreaterThanOrEqual(400);
    },
  }),

  // That refusal may tell by `Retry-After` when to try again.
  defineRule('rv.too-large.retry-after', {
    sabotage: forgetful,
    async check(context) {
      const { get } = await refusals(context, context.secrets);
      context.expect(get.status).toBe(504);
      if (get.headers['retry-after'] === undefined) context.skip('the server gives no Retry-After, as it may');
      context.expect(get.headers['retry-after']).toMatch(/^\d+$/);
    },
  }),

  // That refusal says `Too large resource version`.
  defineRule('rv.too-large.message', {
    ...someKinds,
    sabotage: [
      forgetful,
      changeAnswer(
        'says something else',
        (body) => (body.code === 504 ? { ...body, message: 'too slow', details: {} } : body),
        future,
      ),
    ],
    async check(context) {
      for (const [what, answer] of Object.entries(await refusals(context, context.objects))) {
        const causes = (answer.body?.details?.causes ?? []) as { message?: string }[];
        const texts = [answer.body?.message ?? '', ...causes.map(({ message }) => message ?? '')].join('\n');
        context.expect(texts, what).toContain('Too large resource version');
      }
    },
  }),

  // A watch at a version that does not exist yet may be silent until its time is up.
  defineRule('rv.too-large.watch', {
    sabotage: [
      answerStatus(404, { query: { watch: true, resourceVersion: true } }),
      ignoreQuery('resourceVersion', { query: { watch: true } }),
    ],
    async check(context) {
      const { secrets, expect } = context;
      await secrets.create();
      const watch = await secrets.watch({ resourceVersion: await unknownVersion(context), timeoutSeconds: 1 });
      expect([200, 504]).toContain(watch.status);
      await watch.ended(8_000);
      expect(
        watch.events.filter(({ type }) => type !== 'ERROR' && type !== 'BOOKMARK' && watch.status === 200),
      ).toEqual([]);
    },
  }),
];
