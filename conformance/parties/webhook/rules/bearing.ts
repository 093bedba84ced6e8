import { makeAuthority, makePair } from '../../../lab/certificates.ts';
import { impliedUnder, type PartyRule } from '../../party.ts';
import { type Answer, effectOf, type WebhookContext } from '../context.ts';
import { type Asked, type Review, reviewOf } from '../reviews.ts';

const rule = impliedUnder<WebhookContext>('webhook');

/** What is no review, though something of it is like one. */
const garbageLike = (review: Review): Readonly<Record<string, string>> => ({
  nothing: '',
  'no JSON': '{"apiVersion":',
  null: 'null',
  'a list': '[]',
  'an empty object': '{}',
  'another kind': JSON.stringify({ ...review, kind: 'TokenReview' }),
  'no request': JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind }),
  'a request without uid': JSON.stringify({ ...review, request: { ...review.request, uid: undefined } }),
});

/** The status of an answer, or the code of the review by which it refuses. */
const codeOf = ({ status, body }: Answer): unknown =>
  status === 200 && body?.response?.allowed === false ? body.response.status?.code : status;

/** What it must be equal to. */
export const bearingRules: readonly PartyRule<WebhookContext>[] = [
  rule(
    'bears.operations',
    'Every operation gets a verdict, also where object or oldObject are null.',
    ['webhook.request.operation'],
    ['needs-object', 'needs-name', 'needs-namespace', 'needs-groups'],
    async ({ ask, every, expect }) => {
      for (const [what, asked] of every) {
        for (const more of [{}, { options: null }, { name: '', namespace: '' }, { userInfo: { username: 'jane' } }])
          expect((await ask(reviewOf(asked, 'v1', more))).allowed, what).toBeTypeOf('boolean');
      }
    },
  ),
  rule(
    'bears.dry-run',
    'A dry run gets the same verdict, and comes to the same object.',
    ['webhook.request.dry-run'],
    'dry-run-allows',
    async ({ ask, every, expect }) => {
      for (const [what, asked] of every) {
        const [real, dry] = [await ask(reviewOf(asked)), await ask(reviewOf({ ...asked, dryRun: true }))];
        expect(effectOf(asked.object, dry), what).toEqual(effectOf(asked.object, real));
      }
    },
  ),
  rule(
    'bears.unknown-fields',
    'Fields that it does not know, in the review and in the object, are no reason to fail.',
    ['webhook.request.object'],
    'strict',
    async ({ ask, usual, expect }) => {
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
    async ({ ask, usual, expect }) => {
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
    async ({ ask, usual, expect }) => {
      for (const seconds of [1, 30]) expect((await ask(reviewOf(usual), { seconds })).allowed).toBeTypeOf('boolean');
    },
  ),
  rule(
    'bears.hundred-at-once',
    'A hundred requests at once are each answered, within ten seconds and each with its own uid.',
    ['webhook.response.uid'],
    ['one-at-a-time', 'mixes-up'],
    async ({ ask, usual, expect }) => {
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
    async ({ send, ask, usual, expect }) => {
      const pair = await makePair({ name: 'CN=stranger', usage: 'client' }, await makeAuthority('strangers'));
      await send(JSON.stringify(reviewOf(usual)), { pair }).catch(() => undefined);
      expect((await ask(reviewOf(usual))).allowed, 'the next request').toBeTypeOf('boolean');
    },
  ),
  rule(
    'bears.garbage',
    'What is no review does it no harm: the next review is answered.',
    ['webhook.request.review'],
    'dies-of-garbage',
    async ({ send, ask, usual, expect }) => {
      for (const [what, body] of Object.entries(garbageLike(reviewOf(usual)))) {
        await send(body).catch(() => undefined);
        expect((await ask(reviewOf(usual))).allowed, `the request after ${what}`).toBeTypeOf('boolean');
      }
    },
  ),
  rule(
    'refuses-garbage',
    'What is no review is refused with 400, or by a review with that code.',
    ['webhook.request.review'],
    ['takes-anything', 'fails-on-garbage'],
    async ({ send, usual, expect }) => {
      for (const [what, body] of Object.entries(garbageLike(reviewOf(usual))))
        expect(codeOf(await send(body)), `status for ${what}`).toBe(400);
    },
    // An API server sends none, and widely used libraries take some.
    'should',
  ),
];
