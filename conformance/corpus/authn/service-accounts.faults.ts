import { slip, slips } from '../fault.ts';

const serviceAccountToken = 'authn/service-account-token.ts';

/** Tokens of service accounts: which are still good, and who comes with them. */
export default [
  slip(
    'a token of an account that says it has no signature needs none',
    ['authn'],
    serviceAccountToken,
    'readClaims(await verifiedClaims(token, options.keys))',
    "readClaims(token.endsWith('.') ? peek(token).claims : await verifiedClaims(token, options.keys))",
  ),
  slip(
    'tokens of a service account that was made anew are taken',
    ['authn'],
    'authn/service-account-user.ts',
    'if (!object || object.metadata.uid !== uid) throw',
    'if (!object) throw',
  ),
  slip(
    'a service account is in the group of another namespace',
    ['authn'],
    'authn/service-account-user.ts',
    "groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],",
    "groups: ['system:serviceaccounts', 'system:serviceaccounts:default'].slice(0, 2),",
  ),
  slip(
    'the pod of a token may be gone',
    ['authn'],
    serviceAccountToken,
    "if (pod) mustLive(await find('pods', pod.name), pod.uid, 'pod', now);",
    '',
  ),
  slip(
    'the Secret of a token may be gone',
    ['authn'],
    serviceAccountToken,
    "if (secret) mustLive(await find('secrets', secret.name), secret.uid, 'secret', now);",
    '',
  ),
  slip(
    'tokens of a service account that is gone are taken',
    'authn',
    serviceAccountToken,
    "mustLive(await find('serviceaccounts', account.name), account.uid, 'service account', now);",
    '',
  ),
  slip(
    'tokens for other audiences are taken',
    'authn',
    serviceAccountToken,
    "if (!common.length) throw new Error('the token is not meant for the audiences asked for');",
    '',
  ),
  slip(
    'the account of a namespace that is deleted is not made again',
    ['component'],
    '../controllers/service-account/reconcile.ts',
    'bringing(serviceAccounts, (account) => (nameOf(account) === defaultAccount ? [namespaceOf(account)] : [])),',
    '',
  ),
  slip(
    'of several keys for tokens of service accounts the first counts',
    ['authn'],
    'authn/index.ts',
    'loadServiceAccountKeys(keyFiles, serviceAccountSigningKeyFile',
    'loadServiceAccountKeys(keyFiles.slice(0, 1), serviceAccountSigningKeyFile',
  ),
  slip(
    'a token whose Secret is gone is taken where it stands in it',
    ['authn'],
    'authn/legacy-service-account-token.ts',
    'if (!sameSecret(text, token) || !alive) throw',
    'if (holder && (!sameSecret(text, token) || !alive)) throw',
  ),
  slip(
    'a token outlives the pod that it is bound to where another has its name',
    ['authn'],
    'authn/service-account-token.ts',
    "if (pod) mustLive(await find('pods', pod.name), pod.uid,",
    "const found = pod && (await find('pods', pod.name));\n    if (pod) mustLive(found, found?.metadata.uid ?? pod.uid,",
  ),
  slip(
    'a service account is in the group of all but not in that of its namespace',
    'authn',
    'authn/service-account-user.ts',
    "groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],",
    "groups: ['system:serviceaccounts'],",
  ),
  slips(
    'a token of a service account that was taken once is taken beyond its end while it is remembered',
    ['authn'],
    [
      {
        file: 'authn/service-account-token.ts',
        from: '    const fresh = readClaims(await verifiedClaims(token, options.keys));\n',
        to: '    const fresh = readClaims(await verifiedClaims(token, options.keys));\n    checkTimes(fresh.claims);\n',
      },
      {
        file: 'authn/service-account-token.ts',
        from: '  /** Undefined for a token of somebody else. */\n',
        to: '  const checkTimes = (claims: Claims) =>\n    checkValidity(claims, {\n      now: clock.now() / 1000,\n      expiryLeeway: leewaySeconds,\n      notBeforeLeeway: leewaySeconds,\n      expiryRequired: true,\n    });\n\n  /** Undefined for a token of somebody else. */\n',
      },
      {
        file: 'authn/service-account-token.ts',
        from: '      checkValidity(known.claims, {\n        now: clock.now() / 1000,\n        expiryLeeway: leewaySeconds,\n        notBeforeLeeway: leewaySeconds,\n        expiryRequired: true,\n      });\n',
        to: '',
      },
    ],
  ),
  slip(
    'a service account is not among the authenticated',
    'authn',
    'authn/service-account-user.ts',
    'return knownUser({',
    'return ((user) => user)({',
  ),
  slip(
    'a token outlives the Secret that it is bound to where another has its name',
    ['authn'],
    'authn/service-account-token.ts',
    "if (secret) mustLive(await find('secrets', secret.name), secret.uid, 'secret', now);",
    "if (secret) await find('secrets', secret.name).then((it) => mustLive(it, it?.metadata.uid ?? '', 'secret', now));",
  ),
  slip(
    'a token that stands in a Secret outlives its account where another has its name',
    ['authn'],
    'authn/legacy-service-account-token.ts',
    'if (owner?.metadata.uid !== uid || owner.metadata.deletionTimestamp) {',
    'if (!owner || owner.metadata.deletionTimestamp) {',
  ),
  slip(
    'a token that stands in a Secret outlives it as long as a finalizer holds that',
    ['authn'],
    'authn/legacy-service-account-token.ts',
    'holder !== undefined && !holder.metadata.deletionTimestamp',
    'holder !== undefined',
  ),
  slip(
    'the signature of a token need not be of the issuer',
    ['authn'],
    'authn/service-account-token.ts',
    '|| !options.issuers.includes(issuer)',
    '',
  ),
  slip(
    'a container that mounts something where its token would be gets the token besides',
    ['admission', 'authn'],
    'admission/plugins/service-account/token-volume.ts',
    'filter((container) => !mountsThere(container))',
    'filter(() => true)',
  ),
];
