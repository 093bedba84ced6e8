import { identify, nameOf, reception } from '../../checks/access/callers.ts';
import { reviewToken } from '../../checks/access/identity.ts';
import { labNames } from '../../lab/lab.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { misnames } from '../../sabotage/careless.ts';
import { answerStatus, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';

const needs = ['lab'] as const;
const nodes = { path: /^\/api\/v1\/nodes$/ };
const requests = { path: /\/certificatesigningrequests$/, query: { dryRun: true } };
const refusals = [answerStatus(403, { ...nodes, instead: 401 })];

/** An answer that lets somebody in, made for one rule. */
const letIn = (username: string, more: object = {}, answer: object = {}) => ({
  status: { authenticated: true, user: { username }, ...more },
  mark: username,
  ...answer,
});

/** What the webhook was asked about a token that a rule has used. */
async function asked({ withToken, lab, unique, waitUntil }: RuleContext) {
  const token = lab.hookToken(letIn(unique('hooked')));
  await reception(withToken(token));
  const reviews = await waitUntil(
    'the webhook has been asked',
    () => lab.reviewsOf(token),
    (seen) => seen.length > 0,
  );
  return { token, seen: reviews[0] };
}

/** Something about the question; the sabotage keeps the server from being reached with the token. */
const questionRule = (
  id: string,
  holds: (question: Awaited<ReturnType<typeof asked>>, context: RuleContext) => void,
): Rule =>
  defineRule(`authn.token-webhook.${id}`, {
    needs,
    sabotage: {
      name: 'never asks the webhook',
      begin: () => ({
        request: (request) =>
          nodes.path.test(request.path) ? { status: 401, headers: {}, body: Buffer.from('{}') } : request,
      }),
    },
    async check(context) {
      holds(await asked(context), context);
    },
  });

/** Whoever asks about a token hears whether it is for them, whatever others have heard of it before. */
async function isForThem(context: RuleContext, token: string): Promise<void> {
  const { expect } = context;
  const [one, two, three] = ['one.example.com', 'two.example.com', 'three.example.com'] as const;
  for (const [asked, left] of [
    [[one], [one]],
    [[three], undefined],
    [[three, two], [two]],
    [
      [one, two],
      [one, two],
    ],
    [[labNames.issuer], undefined],
  ] as const) {
    const { authenticated = false, audiences } = await reviewToken(context, token, asked);
    expect(authenticated, `whether it is for ${asked}`).toBe(left !== undefined);
    if (left) expect([...(audiences ?? [])].sort(), `for whom of ${asked}`).toEqual(left);
  }
}

export default [
  questionRule('config-file', ({ seen }, { expect }) =>
    expect(seen?.authorization, 'the credentials of the file').toBe('Bearer of-the-server'),
  ),

  questionRule('request', ({ seen }, { expect }) => {
    expect(seen).toMatchObject({ method: 'POST', review: { kind: 'TokenReview' } });
    expect(seen?.contentType).toMatch(/^application\/json/);
    expect(['authentication.k8s.io/v1', 'authentication.k8s.io/v1beta1']).toContain(seen?.review.apiVersion);
  }),

  questionRule('request.token', ({ seen, token }, { expect }) => expect(seen?.review.spec?.token).toBe(token)),

  questionRule('request.audiences', ({ seen }, { expect }) => {
    const audiences = seen?.review.spec?.audiences ?? [];
    expect(audiences).toBeInstanceOf(Array);
    for (const audience of audiences as unknown[]) expect(audience).toBeTypeOf('string');
  }),

  // `--authentication-token-webhook-version` says which TokenReview is sent, `v1beta1` unless given.
  defineRule('authn.token-webhook.version', {
    needs: ['lab', 'flags'],
    sabotage: [answerStatus(401, { ...nodes, instead: 403 }), misnames(nodes)],
    async check({ lab, start, unique, expect }) {
      const flag = '--authentication-token-webhook-version';
      const besides = lab.flags.filter((each) => !each.startsWith(flag));
      for (const given of [undefined, 'v1beta1', 'v1']) {
        const { withToken } = await start([...besides, ...(given ? [`${flag}=${given}`] : [])]);
        const name = unique('hooked');
        const version = given ?? 'v1beta1';
        const token = lab.hookToken(letIn(name));
        expect(await nameOf(withToken(token)), given ?? 'not given').toBe(name);
        expect((await lab.reviewsOf(token))[0]?.review.apiVersion).toBe(`authentication.k8s.io/${version}`);
      }
    },
  }),

  // The answer is in the version of the call.
  defineRule('authn.token-webhook.same-version', {
    needs,
    sabotage: [...refusals, misnames(nodes)],
    async check({ lab, withToken, unique, expect }) {
      const name = unique('hooked');
      expect(await nameOf(withToken(lab.hookToken(letIn(name)))), 'the version asked in').toBe(name);
      const other = lab.hookToken(letIn(name, {}, { apiVersion: 'authentication.k8s.io/v1beta1' }));
      expect(await reception(withToken(other)), 'another version').toBe(401);
    },
  }),

  // `status.authenticated` true lets the request in.
  defineRule('authn.token-webhook.success', {
    needs,
    sabotage: [answerStatus(401, { ...nodes, instead: 403 }), misnames(nodes)],
    async check({ lab, withToken, unique, expect }) {
      const name = unique('hooked');
      expect(await nameOf(withToken(lab.hookToken(letIn(name))))).toBe(name);
    },
  }),

  // `status.user` tells name, uid, groups and extra of who it is.
  defineRule('authn.token-webhook.user', {
    needs,
    sabotage: ['uid', 'groups', 'extra'].map((field) => replaceIn(`spec.${field}`, requests)),
    async check(context) {
      const { lab, withToken, unique, expect } = context;
      const name = unique('hooked');
      const user = { username: name, uid: 'u-9', groups: ['hooked'], extra: { colour: ['red', 'blue'] } };
      const identity = await identify(context, withToken(lab.hookToken(letIn(name, { user }))), name);
      expect(identity).toMatchObject({ username: name, uid: 'u-9', extra: { colour: ['red', 'blue'] } });
      expect(identity.groups).toEqual(expect.arrayContaining(['hooked', 'system:authenticated']));
    },
  }),

  // `status.audiences` are those of the asked that fit; without them the token is for the API server.
  defineRule('authn.token-webhook.audiences', {
    needs,
    sabotage: [
      answerStatus(401, { ...nodes, instead: 403 }),
      misnames(nodes),
      replaceIn('status.authenticated', { path: /\/tokenreviews$/, with: true }),
    ],
    async check(context) {
      const { lab, withToken, unique, expect } = context;
      const name = unique('hooked');
      const token = lab.hookToken(letIn(name));
      expect(await nameOf(withToken(token)), 'without audiences').toBe(name);
      const meant = (audiences: readonly string[]) =>
        lab.hookToken({ status: { authenticated: true, user: { username: name }, audiences } });
      expect(await nameOf(withToken(meant([labNames.issuer]))), 'for the API server').toBe(name);
      expect(await reception(withToken(meant(['https://elsewhere.example.com']))), 'for somebody else').toBe(401);
      await isForThem(context, meant(['one.example.com', 'two.example.com']));
    },
  }),

  // `status.authenticated` false is a 401.
  defineRule('authn.token-webhook.failure', {
    needs,
    sabotage: [...refusals, misnames(nodes)],
    async check({ lab, withToken, unique, waitUntil, expect }) {
      const name = unique('hooked');
      expect(await nameOf(withToken(lab.hookToken(letIn(name)))), 'authenticated').toBe(name);
      const token = lab.hookToken({ status: { authenticated: false, user: { username: name } }, mark: name });
      expect(await reception(withToken(token)), 'not authenticated').toBe(401);
      const unasked = lab.hookToken(letIn(name, {}, { code: 403 }));
      expect(await reception(withToken(unasked)), 'where the webhook does not judge').toBe(401);
      const late = withToken(lab.hookToken(letIn(name, {}, { failures: 1 })));
      await reception(late);
      await waitUntil(
        'a webhook that failed once is asked again',
        () => nameOf(late),
        (who) => who === name,
      );
    },
  }),

  // A refusal may say why in `status.error`.
  defineRule('authn.token-webhook.error', {
    needs,
    sabotage: [...refusals, requestHeader('authorization', 'Bearer another', { header: { authorization: /Bearer/ } })],
    async check({ lab, withToken, unique, expect }) {
      const token = lab.hookToken({ status: { authenticated: false, error: 'the token is too old' }, mark: unique() });
      expect(await reception(withToken(token))).toBe(401);
      expect((await lab.reviewsOf(token)).length, 'the webhook was asked').toBeGreaterThan(0);
    },
  }),

  // A refusal that does not say why gets a message for all cases.
  defineRule('authn.token-webhook.generic-message', {
    needs,
    sabotage: [replaceIn('message', nodes), replaceIn('reason', nodes)],
    async check({ lab, withToken, unique, expect }) {
      const { status, body } = await withToken(
        lab.hookToken({ status: { authenticated: false }, mark: unique() }),
      ).send('GET', '/api/v1/nodes');
      expect(status).toBe(401);
      expect(body).toMatchObject({ kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized' });
    },
  }),

  // What the answer has in `spec` is not read.
  defineRule('authn.token-webhook.spec-ignored', {
    needs,
    sabotage: [answerStatus(401, { ...nodes, instead: 403 }), misnames(nodes)],
    async check({ lab, withToken, unique, expect }) {
      const name = unique('hooked');
      const token = lab.hookToken(letIn(name, {}, { spec: { token: 'another', audiences: ['nobody'] } }));
      expect(await nameOf(withToken(token))).toBe(name);
    },
  }),

  // `--authentication-token-webhook-cache-ttl` is how long an answer is remembered, two minutes unless given.
  defineRule('authn.token-webhook.cache-ttl', {
    needs,
    flags: ['--authentication-token-webhook-cache-ttl=2s'],
    sabotage: {
      name: 'never asks the webhook',
      begin: () => ({
        request: (request) =>
          nodes.path.test(request.path) ? { status: 403, headers: {}, body: Buffer.from('{}') } : request,
      }),
    },
    async check({ lab, withToken, unique, waitUntil, expect }) {
      const token = lab.hookToken(letIn(unique('hooked')));
      for (const _ of [1, 2, 3]) expect(await reception(withToken(token))).toBe(403);
      expect(await lab.reviewsOf(token), 'within the time').toHaveLength(1);
      const look = async () => {
        await reception(withToken(token));
        return (await lab.reviewsOf(token)).length;
      };
      // A genuine server remembers whom it let in for ten seconds, whatever the flag says.
      await waitUntil('the webhook is asked again', look, (times) => times > 1, { limit: 20_000, interval: 300 });
    },
  }),
];
