import { join } from 'node:path';
import { nameOf, reception } from '../../checks/access/callers.ts';
import { confusedToken, unsignedToken } from '../../lab/jwt.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { misnames } from '../../sabotage/careless.ts';
import { answerStatus } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';

const needs = ['lab'] as const;
const nodes = { path: /^\/api\/v1\/nodes$/ };
const past = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

/** A good id token is taken, and each of these is not. */
const tokenRule = (
  id: string,
  refused: (context: RuleContext) => Readonly<Record<string, string>>,
  besides?: (context: RuleContext) => Promise<void>,
): Rule =>
  defineRule(`authn.oidc.${id}`, {
    needs,
    sabotage: [answerStatus(403, { ...nodes, instead: 401 }), misnames(nodes)],
    async check(context) {
      const { withToken, lab, expect } = context;
      expect(await nameOf(withToken(lab.idToken())), 'a good id token').toBe(`${lab.issuerUrl}#dora`);
      for (const [what, token] of Object.entries(refused(context)))
        expect(await reception(withToken(token)), what).toBe(401);
      await besides?.(context);
    },
  });

/** A token that was good is so until its end, however well it is remembered. */
async function endsInTime({ lab, withToken, waitUntil, expect }: RuleContext): Promise<void> {
  const seconds = 4;
  const token = lab.idToken({ exp: past(-seconds) });
  const asked = performance.now();
  const before = await nameOf(withToken(token));
  // Where answers take long it may be over by then.
  if (performance.now() - asked < (1000 * seconds) / 2) expect(before, 'before its end').toBe(`${lab.issuerUrl}#dora`);
  await waitUntil(
    'it is refused after its end',
    () => reception(withToken(token)),
    (status) => status === 401,
    // A genuine server remembers whom it let in for ten seconds.
    { limit: 20_000, interval: 500 },
  );
}

/** The issuer may come to sign by another key, and a token by it is as good as one by those before. */
async function signsByAnotherKey({ lab, withToken, release, waitUntil }: RuleContext): Promise<void> {
  const { key, withdraw } = lab.addIssuerKey();
  release(withdraw);
  const token = lab.idToken({ sub: 'dora' }, {}, key);
  await waitUntil(
    'a key that the issuer came to have counts',
    () => nameOf(withToken(token)),
    (name) => name === `${lab.issuerUrl}#dora`,
  );
}

export default [
  tokenRule('id-token', () => ({ 'an access token': 'ya29.an-opaque-access-token' })),

  tokenRule(
    'signature',
    ({ lab }) => {
      // Of a good token, so that nothing but the signature is a reason to refuse them.
      const [header, claims = ''] = lab.idToken().split('.');
      const [, , other] = lab.idToken({ sub: 'eve' }).split('.');
      return {
        'the signature of another token': `${header}.${claims}.${other}`,
        'no signature': unsignedToken(claims),
        'the public key as a shared secret': confusedToken(claims, lab.key('issuer')),
      };
    },
    signsByAnotherKey,
  ),

  tokenRule(
    'expiry',
    ({ lab }) => ({
      'an expired token': lab.idToken({ exp: past(600) }),
      'a token that has just expired': lab.idToken({ exp: past(30) }),
      'a token without an end': lab.idToken({ exp: undefined }),
      'a token whose end is no time': lab.idToken({ exp: 'tomorrow' }),
      'a token that is not good yet': lab.idToken({ nbf: past(-600) }),
    }),
    endsInTime,
  ),
  tokenRule('one-issuer', ({ lab }) => ({
    'a token of another issuer': lab.idToken({ iss: 'https://issuer.example.com' }),
  })),

  // An id token says who it is; what they may do is decided afterwards.
  defineRule('authn.oidc.then-authorization', {
    needs,
    sabotage: [answerStatus(200, { ...nodes, instead: 403 }), misnames(nodes)],
    async check({ withToken, lab, expect }) {
      const dora = withToken(lab.idToken());
      expect((await dora.send('GET', '/api')).status, 'what every authenticated user may do').toBe(200);
      expect(await nameOf(dora), 'who may not do what not every user may').toBe(`${lab.issuerUrl}#dora`);
    },
  }),

  // The issuer offers discovery over TLS by a certificate from a real authority.
  defineRule('authn.oidc.issuer', {
    needs: ['lab', 'flags'],
    sabotage: [answerStatus(403, { ...nodes, instead: 401 }), misnames(nodes)],
    async check({ withToken, lab, start, expect }) {
      const trusted = await nameOf(withToken(lab.idToken()));
      expect(trusted, 'of an issuer whose certificate is vouched for').toBe(`${lab.issuerUrl}#dora`);
      const started = await start([...lab.flags, `--oidc-ca-file=${join(lab.folder, 'other-ca.crt')}`]);
      expect(await nameOf(started.withToken(lab.token('bob'))), 'another kind of token').toBe('bob');
      const untrusted = await reception(started.withToken(lab.idToken()));
      expect(untrusted, 'of an issuer whose certificate nobody vouches for').toBe(401);
    },
  }),
];
