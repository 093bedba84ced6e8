import { makeAuthority, makePair } from '../../lab/certificates.ts';
import { documented, implied, type PartyRule } from '../party.ts';
import { operationsOf, type Response, type WebhookContext } from './context.ts';
import { type Asked, requests, reviewOf } from './reviews.ts';

const every: readonly (readonly [string, Asked])[] = Object.entries(requests);
const [usual] = Object.values(requests) as [Asked];

const rule = (
  name: string,
  statement: string,
  from: readonly string[],
  fault: string | readonly string[],
  check: (context: WebhookContext) => Promise<void>,
  level: 'must' | 'should' = 'must',
): PartyRule<WebhookContext> => implied(`webhook.${name}`, { statement, from, level }, { fault, check });

/** All that is said to every one of the requests. */
async function allAnswers({ ask }: WebhookContext): Promise<readonly (readonly [string, Response])[]> {
  const answers: (readonly [string, Response])[] = [];
  for (const [what, asked] of every) answers.push([what, await ask(reviewOf(asked))]);
  return answers;
}

/** Warnings of all answers; a webhook that gives none cannot be judged by them. */
async function warningsOf(context: WebhookContext): Promise<readonly string[]> {
  const warnings = (await allAnswers(context)).flatMap(([, answer]) => (answer.warnings ?? []) as string[]);
  if (warnings.length === 0) context.skip('the webhook gives no warning of anything it is asked');
  for (const warning of warnings) context.expect(warning, 'a warning').toBeTypeOf('string');
  return warnings;
}

const answers: readonly PartyRule<WebhookContext>[] = [
  rule(
    'answer.uid',
    'An answer carries the uid of the request, and its verdict as a boolean.',
    ['webhook.response.uid', 'webhook.response.allowed'],
    ['own-uid', 'wordy-verdict'],
    async (context) => {
      for (const [what, asked] of every) {
        const review = reviewOf(asked);
        const { uid, allowed } = await context.ask(review);
        context.expect(uid, `uid of the answer: ${what}`).toBe(review.request.uid);
        context.expect(allowed, `allowed: ${what}`).toBeTypeOf('boolean');
      }
    },
  ),
  rule(
    'answer.version',
    'A review is answered in its own version, or refused with 400 when that is not understood.',
    ['webhook.response.same-version'],
    'other-version',
    async ({ send, expect }) => {
      let understood = 0;
      for (const version of ['v1', 'v1beta1'] as const) {
        const { status, body } = await send(JSON.stringify(reviewOf(usual, version)));
        if (status === 400) continue;
        understood += 1;
        expect(status, `status for ${version}`).toBe(200);
        expect(body?.apiVersion, `version of the answer to ${version}`).toBe(`admission.k8s.io/${version}`);
      }
      expect(understood, 'versions that are understood').toBeGreaterThan(0);
    },
  ),
  rule(
    'answer.patch',
    'A patch is a JSON Patch in base64, says so, and can be applied to the object.',
    ['webhook.response.patch', 'webhook.response.patch-type'],
    ['plain-patch', 'patch-nowhere', 'patch-without-type'],
    async (context) => {
      const { expect, changed } = context;
      for (const [what, asked] of every) {
        const response = await context.ask(reviewOf(asked));
        if (response.patch === undefined) continue;
        expect(response.patchType, `patchType: ${what}`).toBe('JSONPatch');
        expect(() => operationsOf(response.patch), `patch: ${what}`).not.toThrow();
        expect(changed(asked.object, response), `what was patched: ${what}`).toBeTypeOf('object');
      }
    },
  ),
  rule(
    'answer.refusal',
    'A refusal has a message for people, and its code, if there is one, is that of an error.',
    ['webhook.response.status.code', 'webhook.response.status.message', 'webhook.response.status.optional'],
    ['mute-refusal', 'refusal-200'],
    async (context) => {
      const refusals = (await allAnswers(context)).filter(([, { allowed }]) => allowed === false);
      if (refusals.length === 0) context.skip('the webhook refuses nothing that it is asked');
      for (const [what, { status }] of refusals) {
        context.expect(status?.message, `message: ${what}`).toMatch(/\S/);
        if (status?.code !== undefined) {
          context.expect(status.code, `code: ${what}`).toBeGreaterThanOrEqual(400);
          context.expect(status.code, `code: ${what}`).toBeLessThan(600);
        }
      }
    },
    'should',
  ),
  // A warning does not begin with `Warning:` itself.
  documented<WebhookContext>('webhook.response.warnings.no-prefix', {
    fault: 'warning-prefix',
    async check(context) {
      for (const warning of await warningsOf(context)) context.expect(warning).not.toMatch(/^\s*warning:/i);
    },
  }),
  // A warning keeps to 120 characters if it can.
  documented<WebhookContext>('webhook.response.warnings.length', {
    fault: 'long-warning',
    async check(context) {
      for (const warning of await warningsOf(context))
        context.expect(warning.length, `letters of: ${warning}`).toBeLessThanOrEqual(120);
    },
  }),
  // Asking a mutating webhook twice does no more than asking it once.
  documented<WebhookContext>('webhook.author.idempotent', {
    fault: ['counts-on', 'moody'],
    async check(context) {
      const { ask, changed, expect } = context;
      for (const [what, asked] of every) {
        const [first, second] = [await ask(reviewOf(asked)), await ask(reviewOf(asked))];
        expect({ ...second, uid: '' }, `the same asked twice: ${what}`).toEqual({ ...first, uid: '' });
        if (first.patch === undefined || asked.object === null) continue;
        const object = changed(asked.object, first) as object;
        const again = await ask(reviewOf({ ...asked, object }));
        expect(changed(object, again), `its own patch once more: ${what}`).toEqual(object);
      }
    },
  }),
];

const bearing: readonly PartyRule<WebhookContext>[] = [
  rule(
    'bears.operations',
    'Every operation gets a verdict, also where object or oldObject are null.',
    ['webhook.request.operation'],
    'needs-object',
    async ({ ask, expect }) => {
      for (const [what, asked] of every) {
        for (const more of [{}, { options: null }, { name: '', namespace: '' }])
          expect((await ask(reviewOf(asked, 'v1', more))).allowed, what).toBeTypeOf('boolean');
      }
    },
  ),
  rule(
    'bears.dry-run',
    'A dry run gets the same verdict and the same patch.',
    ['webhook.request.dry-run'],
    'dry-run-allows',
    async ({ ask, expect }) => {
      for (const [what, asked] of every) {
        const [real, dry] = [await ask(reviewOf(asked)), await ask(reviewOf({ ...asked, dryRun: true }))];
        expect({ ...dry, uid: '' }, what).toEqual({ ...real, uid: '' });
      }
    },
  ),
  rule(
    'bears.unknown-fields',
    'Fields that it does not know, in the review and in the object, are no reason to fail.',
    ['webhook.request.object'],
    'strict',
    async ({ ask, expect }) => {
      const object = { ...usual.object, later: { field: 1 }, spec: { later: [1], containers: [] } };
      const review = reviewOf({ ...usual, object }, 'v1', { later: { field: 1 } });
      expect((await ask({ ...review, ...{ later: true } })).allowed).toBeTypeOf('boolean');
    },
  ),
  rule(
    'bears.large-objects',
    'An object as large as one may be gets a verdict, on an update twice over.',
    ['webhook.request.object'],
    'small-bodies',
    async ({ ask, expect }) => {
      const annotations = { large: 'x'.repeat(1_400_000) };
      const object = { ...usual.object, metadata: { name: 'judged', namespace: 'judged', annotations } };
      const asked: Asked = { ...usual, operation: 'UPDATE', object, oldObject: object };
      expect((await ask(reviewOf(asked))).allowed).toBeTypeOf('boolean');
    },
  ),
  rule(
    'bears.short-time',
    'A request that gives it one second is answered in that, as is one that gives it thirty.',
    ['webhook.timeout.range'],
    'slow',
    async ({ ask, expect }) => {
      for (const seconds of [1, 30]) expect((await ask(reviewOf(usual), { seconds })).allowed).toBeTypeOf('boolean');
    },
  ),
  rule(
    'bears.hundred-at-once',
    'A hundred requests at once are each answered, within ten seconds and each with its own uid.',
    ['webhook.response.uid'],
    ['one-at-a-time', 'mixes-up'],
    async ({ ask, expect }) => {
      const reviews = Array.from({ length: 100 }, () => reviewOf(usual));
      const given = await Promise.all(reviews.map((review) => ask(review)));
      expect(given.map(({ uid }) => uid)).toEqual(reviews.map(({ request }) => request.uid));
    },
  ),
  rule(
    'bears.strange-certificates',
    'A client certificate of an authority that it does not know changes nothing, or ends only that connection.',
    ['webhook.client-config.ca-bundle'],
    'dies-of-certificates',
    async ({ send, ask, expect }) => {
      const pair = await makePair({ name: 'CN=stranger', usage: 'client' }, await makeAuthority('strangers'));
      await send(JSON.stringify(reviewOf(usual)), { pair }).catch(() => undefined);
      expect((await ask(reviewOf(usual))).allowed, 'the next request').toBeTypeOf('boolean');
    },
  ),
  rule(
    'refuses-garbage',
    'What is no review is refused with 400, and the next review is answered.',
    ['webhook.request.review'],
    ['takes-anything', 'fails-on-garbage'],
    async ({ send, ask, expect }) => {
      const review = reviewOf(usual);
      const garbage = {
        nothing: '',
        'no JSON': '{"apiVersion":',
        null: 'null',
        'a list': '[]',
        'an empty object': '{}',
        'another kind': JSON.stringify({ ...review, kind: 'TokenReview' }),
        'no request': JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind }),
        'a request without uid': JSON.stringify({ ...review, request: { ...review.request, uid: undefined } }),
      };
      for (const [what, body] of Object.entries(garbage))
        expect((await send(body)).status, `status for ${what}`).toBe(400);
      expect((await ask(reviewOf(usual))).allowed, 'the next request').toBeTypeOf('boolean');
    },
  ),
];

export const webhookRules: readonly PartyRule<WebhookContext>[] = [...answers, ...bearing];
