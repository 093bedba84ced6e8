import { identify, nameOf, reception } from '../../../checks/access/callers.ts';
import type { Claims } from '../../../lab/jwt.ts';
import { labNames } from '../../../lab/lab.ts';
import { defineRule, type Rule } from '../../../rule.ts';
import { misnames } from '../../../sabotage/careless.ts';
import { answerStatus, replaceIn } from '../../../sabotage/transforms.ts';
import type { RuleContext } from '../../../verbs/context.ts';

const needs = ['lab'] as const;
const nodes = { path: /^\/api\/v1\/nodes$/ };
const requests = { path: /\/certificatesigningrequests$/, query: { dryRun: true } };

interface Expected {
  readonly flags?: readonly string[];
  readonly accepted: Readonly<Record<string, readonly [Claims, (context: RuleContext) => string]>>;
  readonly refused?: Readonly<Record<string, Claims>>;
  readonly besides?: (context: RuleContext) => Promise<void>;
}

/** With these flags some id tokens are taken, for users of certain names, and others are not. */
const flagRule = (id: string, { flags, accepted, refused = {}, besides }: Expected): Rule =>
  defineRule(`authn.oidc.flag.${id}`, {
    needs: besides ? ['lab', 'flags'] : needs,
    ...(flags ? { flags } : {}),
    sabotage: [
      answerStatus(401, { ...nodes, instead: 403 }),
      misnames(nodes),
      ...(Object.keys(refused).length > 0 ? [answerStatus(403, { ...nodes, instead: 401 })] : []),
    ],
    async check(context) {
      const { withToken, lab, expect } = context;
      for (const [what, [claims, name]] of Object.entries(accepted))
        expect(await nameOf(withToken(lab.idToken(claims))), what).toBe(name(context));
      for (const [what, claims] of Object.entries(refused))
        expect(await reception(withToken(lab.idToken(claims))), what).toBe(401);
      await besides?.(context);
    },
  });

/** Of tokens with these claims each caller is in the groups beside them. */
const groupsRule = (id: string, cases: readonly (readonly [Claims, readonly string[]])[]): Rule =>
  defineRule(`authn.oidc.flag.${id}`, {
    needs,
    sabotage: replaceIn('spec.groups', requests),
    async check(context) {
      const { withToken, lab, expect } = context;
      for (const [claims, groups] of cases) {
        const identity = await identify(context, withToken(lab.idToken(claims)), `${lab.issuerUrl}#dora`);
        const expected = [...groups, 'system:authenticated'].sort();
        expect([...identity.groups].sort(), JSON.stringify(claims)).toEqual(expected);
      }
    },
  });

/** An address of mail stands for itself, unless the issuer says that it may be somebody else's. */
async function namesByMail({ lab, start, expect }: RuleContext): Promise<void> {
  const { withToken } = await start([...lab.flags, '--oidc-username-claim=email']);
  const email = 'dora@example.com';
  expect(await nameOf(withToken(lab.idToken({ email }))), 'an address').toBe(email);
  expect(await nameOf(withToken(lab.idToken({ email, email_verified: true }))), 'her own').toBe(email);
  // What is neither true nor false says nothing that could be trusted.
  for (const said of [false, 'false', 'true', 1])
    expect(await reception(withToken(lab.idToken({ email, email_verified: said }))), `her own: ${said}`).toBe(401);
}

const ofIssuer =
  (name: string) =>
  ({ lab }: RuleContext) =>
    `${lab.issuerUrl}#${name}`;
const plain = (name: string) => () => name;
const prefix = labNames.oidcGroupsPrefix;

export default [
  flagRule('issuer-url', {
    accepted: { 'a token of the issuer': [{}, ofIssuer('dora')] },
    refused: { 'a token of another': { iss: 'https://issuer.example.com' } },
  }),

  flagRule('client-id', {
    accepted: {
      'for this client': [{ aud: labNames.oidcClient }, ofIssuer('dora')],
      'for this client among others': [{ aud: ['other', labNames.oidcClient] }, ofIssuer('dora')],
    },
    refused: { 'for another client': { aud: 'other' } },
  }),

  flagRule('username-claim', {
    accepted: { 'the claim sub': [{ sub: 'erika' }, ofIssuer('erika')] },
    refused: { 'no such claim': { sub: undefined } },
  }),

  flagRule('username-claim.prefixed', {
    flags: ['--oidc-username-claim=nick'],
    accepted: { 'another claim': [{ nick: 'rika' }, ofIssuer('rika')] },
    refused: { 'no such claim': {} },
    besides: namesByMail,
  }),

  flagRule('username-prefix', {
    flags: ['--oidc-username-prefix=corp:'],
    accepted: { 'a prefix that is given': [{}, plain('corp:dora')] },
  }),
  flagRule('username-prefix.default', { accepted: { 'no prefix given': [{}, ofIssuer('dora')] } }),
  flagRule('username-prefix.none', {
    flags: ['--oidc-username-prefix=-'],
    accepted: { 'a dash for a prefix': [{}, plain('dora')] },
  }),

  groupsRule('groups-claim', [
    [{ groups: ['devs', 'ops'] }, [`${prefix}devs`, `${prefix}ops`]],
    [{ groups: 'devs' }, [`${prefix}devs`]],
    [{ groups: [] }, []],
    [{ groups: undefined }, []],
  ]),
  groupsRule('groups-prefix', [[{ groups: ['devs'] }, [`${prefix}devs`]]]),

  flagRule('required-claim', {
    accepted: { 'the claim with its value': [{}, ofIssuer('dora')] },
    refused: {
      'another value': { [labNames.requiredClaim.name]: 'silver' },
      'no such claim': { [labNames.requiredClaim.name]: undefined },
    },
  }),

  flagRule('required-claim.repeatable', {
    flags: ['--oidc-required-claim=tier=gold', '--oidc-required-claim=site=north'],
    accepted: { 'both claims': [{ site: 'north' }, ofIssuer('dora')] },
    refused: { 'only the first': {}, 'only the second': { site: 'north', tier: 'silver' } },
  }),

  flagRule('ca-file', { accepted: { 'an issuer whose certificate it vouches for': [{}, ofIssuer('dora')] } }),

  // `--oidc-signing-algs` says how tokens may be signed, `RS256` unless given.
  defineRule('authn.oidc.flag.signing-algs', {
    needs: ['lab', 'flags'],
    sabotage: [answerStatus(403, { ...nodes, instead: 401 }), misnames(nodes)],
    async check({ withToken, lab, start, expect }) {
      const dora = `${lab.issuerUrl}#dora`;
      const signed = (alg: string) => lab.idToken({}, { alg });
      expect(await nameOf(withToken(signed('RS256'))), 'RS256, when nothing is said').toBe(dora);
      for (const alg of ['RS512', 'PS256', 'HS256', 'none'])
        expect(await reception(withToken(signed(alg))), `${alg}, when nothing is said`).toBe(401);
      const listed = ['RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];
      const other = await start([...lab.flags, `--oidc-signing-algs=${listed}`]);
      for (const alg of listed)
        expect(await nameOf(other.withToken(signed(alg))), `${alg}, when it is listed`).toBe(dora);
      expect(await reception(other.withToken(signed('RS256'))), 'RS256, when it is not').toBe(401);
    },
  }),
];
