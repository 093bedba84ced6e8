import { nameOf, reception } from '../../checks/access/callers.ts';
import { requestToken, reviewToken, serviceAccountToken } from '../../checks/access/identity.ts';
import { lastAsAsked } from '../../checks/access/lasting-tokens.ts';
import { refusesInReviews } from '../../checks/access/reviewed-tokens.ts';
import { refusesBounds } from '../../checks/access/unfit-tokens.ts';
import { confusedToken, unsignedToken } from '../../lab/jwt.ts';
import type { Account, Lab } from '../../lab/lab.ts';
import { defineRule } from '../../rule.ts';
import { misnames } from '../../sabotage/careless.ts';
import { answerStatus, loseWrite, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { preparePods } from '../../verbs/pods.ts';

const reviews = { path: /\/tokenreviews$/ };

const decoded = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8') || 'null');

/** No token is for less than ten minutes, or for more seconds than 32 bits can count. */
async function refusesLifetimes({ serviceAccounts, expect }: RuleContext, account: string): Promise<void> {
  for (const expirationSeconds of [599, 2 ** 32 + 1]) {
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds } };
    const { status } = await serviceAccounts.postTo(account, 'token', request);
    expect(status, `a token for ${expirationSeconds} seconds`).toBe(422);
  }
}

/** How it is told of an account for which of its pods it is. */
const extraOf = ({ name, uid }: Json): Json => ({
  'authentication.kubernetes.io/pod-name': [name],
  'authentication.kubernetes.io/pod-uid': [uid],
});

/** Tokens that would be good if they were signed by a key of a file, or said something else. */
function forged(lab: Lab, account: Account): Readonly<Record<string, string>> {
  const [, claims = ''] = lab.serviceAccountToken(account).split('.');
  const later = Math.floor(Date.now() / 1000) + 600;
  return {
    'a key that is in no file': lab.serviceAccountToken(account, {}, 'issuer'),
    'no signature': unsignedToken(claims),
    'the public key as a shared secret': confusedToken(claims, lab.key('service-account')),
    'another issuer': lab.serviceAccountToken(account, { iss: 'https://touchstone.example' }),
    'other audiences': lab.serviceAccountToken(account, { aud: ['touchstone.example'] }),
    'a beginning that is to come': lab.serviceAccountToken(account, { nbf: later, exp: later + 600 }),
    'no end': lab.serviceAccountToken(account, { exp: undefined }),
  };
}

/** Seconds from now at which a token ends: clocks may be taken to be up to a minute off. */
const ends = [-57, -50, -30, 10] as const;

/** A token that was taken is taken no more when it has ended, though it is remembered; one that has long ended never is. */
async function endsInTime({ lab, withToken, waitUntil, expect }: RuleContext, account: Account): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const endingIn = (seconds: number) => withToken(lab.serviceAccountToken(account, { exp: now + seconds }));
  expect(await reception(endingIn(-300)), 'a token that ended long ago').toBe(401);
  for (const seconds of ends) {
    const caller = endingIn(seconds);
    if ((await reception(caller)) === 401) continue;
    return void (await waitUntil(
      'a token ends in its time',
      () => reception(caller),
      (status) => status === 401,
      { limit: (seconds + 90) * 1000, interval: 500 },
    ));
  }
  expect(ends, 'one of these tokens is taken').toEqual([]);
}

export default [
  // A service account's token is a signed JWT that is sent as bearer token.
  defineRule('authn.service-account.jwt', {
    sabotage: [
      replaceIn('status.token', { with: 'plain-secret', path: /\/token$/ }),
      answerStatus(401, { path: /^\/api$/ }),
      answerStatus(201, { method: 'POST', path: /\/token$/, instead: 400 }),
      removeIn('status.audiences', reviews),
    ],
    async check(context) {
      const { withToken, expect } = context;
      const { account, token } = await serviceAccountToken(context);
      const parts = token.split('.');
      expect(parts, 'header, claims and signature').toHaveLength(3);
      expect(decoded(parts[0])?.alg).toMatch(/^(RS|ES|PS)\d+$/);
      expect(decoded(parts[0])?.kid, 'by which key it is signed').toMatch(/./);
      expect(decoded(parts[1])?.sub).toMatch(/^system:serviceaccount:/);
      expect((await withToken(token).send('GET', '/api')).status, 'sent as bearer token').toBe(200);
      const forged = `${parts[0]}.${parts[1]}.${Buffer.alloc(256, 1).toString('base64url')}`;
      expect((await withToken(forged).send('GET', '/api')).status, 'with another signature').toBe(401);
      const { aud } = decoded(parts[1]);
      expect((await reviewToken(context, token)).audiences, 'for whom it is said to be').toEqual(aud);
      expect((await reviewToken(context, token, [])).audiences, 'to nobody in particular').toEqual(aud);
      const one = [aud.at(-1)];
      const { audiences } = await reviewToken(context, token, ['touchstone.example', ...one]);
      expect(audiences, 'for whom of two it is said to be').toEqual(one);
      const nobodies = ['touchstone.example', `${one[0]}x`, String(one[0]).slice(0, -1)];
      const others = ['one.touchstone.example', 'two.touchstone.example'];
      const theirs = await requestToken(context, account.metadata.name, undefined, others);
      expect(decoded(theirs.split('.')[1])?.aud, 'for whom it was asked').toEqual(others);
      expect((await reviewToken(context, theirs, others)).audiences, 'for whom it was asked').toEqual(others);
      expect((await withToken(theirs).send('GET', '/api')).status, 'one for others').toBe(401);
      await refusesInReviews(context, {
        ...Object.fromEntries(nobodies.map((nobody) => [`to ${nobody}`, [token, [nobody]]])),
        ...{ 'with another signature': [forged], 'to who is not meant': [theirs], 'of nobody': [`none.${token}`] },
      });
      await refusesBounds(context, account.metadata);
    },
  }),

  // An account's user name is `system:serviceaccount:` with namespace and name.
  defineRule('authn.service-account.username', {
    sabotage: replaceIn('status.user.username', reviews),
    async check(context) {
      const { account, token } = await serviceAccountToken(context);
      const { name, namespace } = account.metadata;
      context
        .expect((await reviewToken(context, token)).user?.username)
        .toBe(`system:serviceaccount:${namespace}:${name}`);
    },
  }),

  // An account is in `system:serviceaccounts` and in the group of its namespace.
  defineRule('authn.service-account.groups', {
    sabotage: replaceIn('status.user.groups', { ...reviews, with: ['system:authenticated'] }),
    async check(context) {
      const { account, token } = await serviceAccountToken(context);
      const { groups = [] } = (await reviewToken(context, token)).user ?? {};
      context.expect(groups).toContain('system:serviceaccounts');
      context.expect(groups).toContain(`system:serviceaccounts:${account.metadata.namespace}`);
    },
  }),

  // A pod names its account in `spec.serviceAccountName`.
  defineRule('authn.service-account.pod-field', {
    needs: ['pods'],
    sabotage: [
      replaceIn('spec.serviceAccountName', { method: 'GET', path: /\/pods\/[^/]+$/ }),
      removeIn('status.user.extra', reviews),
    ],
    async check(context) {
      const { pods, serviceAccounts, expect } = context;
      await preparePods(context);
      const account = await serviceAccounts.create();
      const other = await serviceAccounts.create();
      const { metadata } = await pods.create({ spec: { serviceAccountName: account.metadata.name } });
      expect((await pods.get(metadata.name)).body?.spec?.serviceAccountName).toBe(account.metadata.name);
      const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: metadata.name, uid: metadata.uid };
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { boundObjectRef } };
      const tokenOf = (name: string) => serviceAccounts.postTo(name, 'token', request);
      const { status, body } = await tokenOf(account.metadata.name);
      expect(status, 'a token for the pod, of its account').toBe(201);
      const { user } = await reviewToken(context, body.status.token);
      expect(user?.extra, 'what is told of who comes by it').toMatchObject(extraOf(metadata));
      const refused = await tokenOf(other.metadata.name);
      expect(refused.status, 'a token for the pod, of another account').toBeGreaterThanOrEqual(400);
      expect(refused.status, 'a token for the pod, of another account').toBeLessThan(500);
      const named = (name: string): Json => ({ ...request, metadata: { name } });
      const own = account.metadata.name;
      expect((await serviceAccounts.postTo(own, 'token', named(own))).status, 'by its own name').toBe(201);
      await refusesLifetimes(context, own);
      await lastAsAsked(context, own, boundObjectRef);
      const strange = await serviceAccounts.postTo(own, 'token', named(other.metadata.name));
      expect(strange.status, 'by the name of another account').toBe(422);
    },
  }),

  // `--service-account-key-file` gives the RSA or ECDSA keys in PEM that verify them.
  defineRule('authn.service-account.key-file', {
    needs: ['lab'],
    sabotage: [
      answerStatus(401, { path: /^\/api\/v1\/nodes$/, instead: 403 }),
      answerStatus(403, { path: /^\/api\/v1\/nodes$/, instead: 401 }),
      misnames({ path: /^\/api\/v1\/nodes$/ }),
    ],
    async check(context) {
      const { serviceAccounts, withToken, lab, expect } = context;
      const { metadata } = await serviceAccounts.create();
      const { namespace, name, uid } = metadata;
      // One file holds an RSA key, another an ECDSA key.
      for (const key of ['service-account', 'service-account-3'] as const) {
        const token = lab.serviceAccountToken({ namespace, name, uid }, {}, key);
        expect(await nameOf(withToken(token)), key).toBe(`system:serviceaccount:${namespace}:${name}`);
      }
      for (const [what, token] of Object.entries(forged(lab, { namespace, name, uid })))
        expect(await reception(withToken(token)), what).toBe(401);
      await endsInTime(context, { namespace, name, uid });
    },
  }),

  // With `--service-account-lookup` a token dies with its object.
  defineRule('authn.service-account.lookup', {
    needs: ['lab'],
    matrix: {
      bound: ['account', 'the account of its own Secret', 'secret', 'its own Secret', { name: 'pod', needs: ['pods'] }],
      after: ['gone', 'made anew', 'going'],
    },
    where: ({ bound, after }) => after !== 'going' || bound === 'its own Secret',
    sabotage: [
      answerStatus(403, { path: /^\/api\/v1\/nodes$/, instead: 401 }),
      misnames({ path: /^\/api\/v1\/nodes$/ }),
      loseWrite({ method: 'DELETE', path: /\/secrets\// }),
    ],
    async check(context, { bound, after }) {
      const { withToken, waitUntil, expect } = context;
      const to = typeof bound === 'string' ? bound : bound.name;
      // Who asks for a token may leave open which object of the name it is.
      const { token, remove, remake, hold } = await boundToken(context, to, after === 'gone');
      expect(await nameOf(withToken(token)), 'while it is there').toMatch(/^system:serviceaccount:/);
      if (after === 'going') await hold?.();
      await remove();
      if (after === 'made anew') await remake();
      // Servers may remember a token that they have accepted for some seconds.
      await waitUntil(
        'the token goes with what it is bound to',
        () => reception(withToken(token)),
        (status) => status === 401,
        { limit: 15_000, interval: 500 },
      );
    },
  }),
];

interface BoundToken {
  readonly token: string;
  /** Takes away what the token is bound to. */
  readonly remove: () => Promise<unknown>;
  /** Makes another one of its name. */
  readonly remake: () => Promise<unknown>;
  /** Lets it stay for a while when it is taken away. */
  readonly hold?: () => Promise<unknown>;
}

/** A token of the older sort, which has no end and stands in a Secret. */
async function keptToken({ lab, secrets, unique, later }: RuleContext, account: Account): Promise<BoundToken> {
  const { namespace, name, uid } = account;
  const secret = unique('token');
  const said = (what: string): string => `kubernetes.io/serviceaccount/${what}`;
  const of = (what: string): string => `kubernetes.io/service-account.${what}`;
  const claims = {
    ...{ iss: 'kubernetes/serviceaccount', aud: undefined, iat: undefined, nbf: undefined, exp: undefined },
    'kubernetes.io': undefined,
    [said('namespace')]: namespace,
    [said('secret.name')]: secret,
    [said('service-account.name')]: name,
    [said('service-account.uid')]: uid,
  };
  const token = lab.serviceAccountToken(account, claims);
  const annotations = { [of('name')]: name, [of('uid')]: uid };
  const type = 'kubernetes.io/service-account-token';
  const make = (text: string) =>
    secrets.create({ metadata: { name: secret, annotations }, type, stringData: { token: text } });
  await make(token);
  later(() => secrets.patch(secret, { metadata: { finalizers: null } }));
  return {
    ...{ token, remove: () => secrets.delete(secret), remake: () => make('another') },
    hold: () => secrets.merge(secret, { metadata: { finalizers: ['example.com/one'] } }),
  };
}

/** A token of a new account, bound to nothing else or to a pod or Secret that is new as well. */
async function boundToken(context: RuleContext, bound: string, byUid: boolean): Promise<BoundToken> {
  const { serviceAccounts, secrets, pods } = context;
  if (bound === 'account') {
    const { account, token } = await serviceAccountToken(context);
    const { name } = account.metadata;
    const remake = () => serviceAccounts.create({ metadata: { name } });
    return { token, remove: () => serviceAccounts.delete(name), remake };
  }
  const account = await serviceAccounts.create();
  if (bound === 'its own Secret') return keptToken(context, account.metadata);
  if (bound === 'the account of its own Secret') {
    const { name } = account.metadata;
    const { token } = await keptToken(context, account.metadata);
    return {
      token,
      remove: () => serviceAccounts.delete(name),
      remake: () => serviceAccounts.create({ metadata: { name } }),
    };
  }
  await preparePods(context);
  const objects = bound === 'pod' ? pods : secrets;
  const over = bound === 'pod' ? { spec: { serviceAccountName: account.metadata.name } } : {};
  const { metadata } = await objects.create(over);
  const reference = {
    ...{ apiVersion: 'v1', kind: objects.at.kind, name: metadata.name },
    ...(byUid && { uid: metadata.uid }),
  };
  return {
    token: await requestToken(context, account.metadata.name, reference),
    remove: () => objects.delete(metadata.name, { query: { gracePeriodSeconds: 0 } }),
    remake: () => objects.create(merged({ metadata: { name: metadata.name } }, over)),
  };
}
