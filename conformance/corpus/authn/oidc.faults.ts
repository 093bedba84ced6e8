import { slip } from '../fault.ts';

const oidc = 'authn/oidc.ts';

/** Tokens of an OpenID Connect issuer: which are good, and how claims become a user. */
export default [
  slip(
    'an e-mail address that nobody verified is a name',
    ['authn'],
    oidc,
    'claims.email_verified !== undefined && claims.email_verified !== true',
    'false',
  ),
  slip(
    'one group as a text is none',
    ['authn'],
    oidc,
    'Array.isArray(value) ? value : [value]',
    'Array.isArray(value) ? value : []',
  ),
  slip(
    'a token for several audiences is judged by the first',
    ['authn'],
    oidc,
    'if (!audienceClaim(claims).includes(options.clientId)) throw',
    'if (audienceClaim(claims)[0] !== options.clientId) throw',
  ),
  slip(
    'only the first required claim is looked at',
    ['authn'],
    oidc,
    'for (const [claim, value] of options.requiredClaims) {',
    'for (const [claim, value] of [...options.requiredClaims].slice(0, 1)) {',
  ),
  slip('tokens of an issuer are good for five minutes more', ['authn'], oidc, 'expiryLeeway: 0,', 'expiryLeeway: 300,'),
  slip(
    'the prefix of groups from an issuer is left out',
    ['authn'],
    oidc,
    'return groups.map((group) => `${groupsPrefix}${group}`);',
    'return groups as string[];',
  ),
  slip(
    'a claim that is required may have any value',
    ['authn'],
    oidc,
    'if (claims[claim] !== value) throw',
    'if (value !== undefined && claims[claim] === undefined) throw',
  ),
  slip(
    'a token may be used before its time',
    ['authn'],
    'authn/jwt.ts',
    'if (notBefore !== undefined && now < notBefore - notBeforeLeeway) throw',
    'if (notBefore !== undefined && now < 0) throw',
  ),
  slip(
    'addresses of mail are names of their issuer',
    ['authn'],
    'authn/index.ts',
    "usernameClaim === 'email' ? '' : `${issuerUrl}#`",
    '`${issuerUrl}#`',
  ),
  slip(
    'tokens of an issuer cannot be signed by the longest elliptic curve',
    ['authn'],
    'authn/flags.ts',
    "'ES512',\n  ",
    '',
  ),
  slip(
    'names of an issuer have no prefix unless one is given',
    ['authn'],
    'authn/index.ts',
    "prefix === '-' ? '' : prefix || standard",
    "prefix === '-' ? '' : prefix || ''",
  ),
  slip(
    'a token of an issuer that was good stays good while it is remembered',
    'authn',
    'authn/oidc.ts',
    '        now: clock.now() / 1000,',
    '        now: Math.min(clock.now() / 1000, Number(claims.iat ?? Number.POSITIVE_INFINITY)),',
  ),
  slip(
    'who names an issuer may leave the end of a token open',
    'authn',
    'authn/oidc.ts',
    'expiryRequired: true',
    'expiryRequired: false',
  ),
  slip(
    'who is in no group of an issuer is refused',
    'authn',
    oidc,
    'if (value === undefined || value === null) return [];',
    "if (groupsClaim && (value === undefined || value === null)) throw new Error('no groups');\n  if (value === undefined || value === null) return [];",
  ),
  slip(
    'whom an issuer names is not among the authenticated',
    'authn',
    oidc,
    "user: knownUser({ name, uid: '', groups: groupsOf(claims, options), extra: noExtra })",
    "user: { name, uid: '', groups: groupsOf(claims, options), extra: noExtra }",
  ),
  slip(
    'keys that an issuer comes to have later are never fetched',
    ['authn'],
    'authn/oidc.ts',
    'await keys.refresh();',
    'if (keys.known(undefined).length === 0) await keys.refresh();',
  ),
];
