import { type Fault, slip } from './fault.ts';

const applying = 'patch/apply/apply.ts';
const authenticating = 'authn/index.ts';

/** What grew away from the documents: who somebody is, who owns what, and how things end. */
export const driftingSlips: readonly Fault[] = [
  slip(
    'a watch whose time is over ends with an error',
    ['watch', 'params'],
    'watch/watcher.ts',
    '    if (this.#request.bookmarks) this.#writeBookmark(this.#finalProgress);\n',
    "    if (this.#request.bookmarks) this.#writeBookmark(this.#finalProgress);\n    if (this.#closing === 'timeout') return this.#fail(new Error('the time of the watch is over'));\n",
  ),
  slip(
    'who applies the same fields as last time needs no force',
    ['apply', 'errors'],
    applying,
    'yield* takeFields(managers, identity, changes, request);',
    'yield* takeFields(managers, identity, changes, last && !leftOut ? { ...request, force: true } : request);',
  ),
  slip(
    'force takes all that somebody owns who owns something that it takes',
    ['apply'],
    applying,
    'left.set(manager, affected ? fieldsLeft(manager, changes) : fields);',
    'left.set(manager, isEmptySet(lost) ? (affected ? fieldsLeft(manager, changes) : fields) : noFields);',
  ),
  slip(
    'custom objects stay when their last finalizer goes',
    ['deletion', 'kinds'],
    'registry/commit.ts',
    'if (kept && goes(draft))',
    'if (kept && !custom && goes(draft))',
  ),
  slip(
    'units of an organization are groups as well',
    ['authn'],
    'x509/certificate-details.ts',
    'organizations: textsOf(attributes, organizationOid),',
    "organizations: [...textsOf(attributes, organizationOid), ...textsOf(attributes, '2.5.4.11')],",
  ),
  slip(
    'addresses of mail are names of their issuer',
    ['authn'],
    authenticating,
    "usernameClaim === 'email' ? '' : `${issuerUrl}#`",
    '`${issuerUrl}#`',
  ),
  slip(
    'of several keys for tokens of service accounts the first counts',
    ['authn'],
    authenticating,
    'loadServiceAccountKeys(keyFiles, serviceAccountSigningKeyFile',
    'loadServiceAccountKeys(keyFiles.slice(0, 1), serviceAccountSigningKeyFile',
  ),
  slip(
    'of several headers for groups of a proxy the first counts',
    ['authn'],
    'authn/proxy-headers.ts',
    'const groups = groupHeaders.flatMap(',
    'const groups = groupHeaders.slice(0, 1).flatMap(',
  ),
  slip(
    'a webhook for tokens is asked in v1 unless it is said',
    ['authn'],
    'authn/flags.ts',
    "      'v1beta1',\n    ),",
    "      'v1',\n    ),",
  ),
  slip(
    'tokens of an issuer are good for five minutes more',
    ['authn'],
    'authn/oidc.ts',
    'expiryLeeway: 0,',
    'expiryLeeway: 300,',
  ),
  slip(
    'the audit log does not say as whom somebody acts',
    ['audit', 'impersonate'],
    'request/audit.ts',
    'impersonatedUser: details.impersonatedUser && userOf(details.impersonatedUser),',
    '',
  ),
  slip(
    'codes of rejections count as they are, however large',
    ['metrics'],
    'admission/webhooks/webhook-metrics.ts',
    'const largestCode = 600;',
    'const largestCode = Number.POSITIVE_INFINITY;',
  ),
  slip(
    'rounds of webhooks are not told apart in the audit log',
    ['audit'],
    'admission/webhooks/mutation.ts',
    'round_${round}_index_${index}`',
    'round_0_index_${index}`',
  ),
  slip(
    'versions that are turned off are told among the groups',
    ['versioning', 'paths'],
    'request/discovery.ts',
    'const versions = new Map<string, Set<string>>();',
    'const versions = new Map(apiGroups().map(({ name, versions: known }) => [name, new Set(known)]));',
  ),
  slip(
    'the right to act with one uid alone does not hold',
    ['impersonate'],
    'request/impersonate.ts',
    "yield action(authenticationGroup, 'uids', asked.uid);",
    "yield action(authenticationGroup, 'uids', '');",
  ),
  slip(
    'a server that is about to stop calls itself ready',
    ['health'],
    'request/life.ts',
    "if (this.#state === 'stopping') throw new Error('the server is stopping');",
    'void this.#state;',
  ),
];
