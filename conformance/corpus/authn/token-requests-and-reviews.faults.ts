import { removeIn } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';

const tokenRequest = 'authn/token-request.ts';

/** What a TokenRequest may ask for, and what a TokenReview tells. */
export default [
  fault('a token review says nothing of groups', 'authn', removeIn('status.user.groups', { path: /\/tokenreviews$/ })),
  slip(
    'a review of a token does not tell for whom it is meant',
    ['authn'],
    'authn/token-review.ts',
    'return { ...sent, authenticated: true, user: shown(user), audiences };',
    'return { ...sent, authenticated: true, user: shown(user), ...(audiences.length === 0 && { audiences }) };',
  ),
  slip(
    'a token review does not tell the audiences',
    ['authn'],
    'authn/token-review.ts',
    'return { ...sent, authenticated: true, user: shown(user), audiences };',
    'return { ...sent, authenticated: audiences.length > 0, user: shown(user) };',
  ),
  slip(
    'a token may be bound to another object of that name',
    ['authn'],
    tokenRequest,
    'if (uid && uid !== object.metadata.uid) {',
    "if (uid === '-' && uid !== object.metadata.uid) {",
  ),
  slip(
    'a token is said to last an hour, however long it does',
    ['authn'],
    tokenRequest,
    'expirationTimestamp: formatTime((now + spec.expirationSeconds) * 1000) };',
    'expirationTimestamp: formatTime((now + defaultSeconds) * 1000) };',
  ),
  slip(
    'a token may be asked for that lasts a minute',
    ['authn'],
    tokenRequest,
    'const leastSeconds = 600;',
    'const leastSeconds = 60;',
  ),
  slip(
    'a token may be bound to a pod of another account',
    ['authn'],
    tokenRequest,
    "if (kind === 'Pod' && textOf(",
    "if (kind === 'Pods' && textOf(",
  ),
  slip(
    'of the audiences of a token the first is kept',
    'authn',
    'authn/token-request.ts',
    'audiences.map(String) : options',
    'audiences.map(String).slice(0, 1) : options',
  ),
  slip(
    'a token review tells all audiences that were asked for',
    ['authn'],
    'authn/token-review.ts',
    'judge(asInHeader(token), asked)',
    'judge(asInHeader(token), asked).then((known) => ({ ...known, audiences: asked }))',
  ),
  slip(
    'a token may be asked for that lasts for ever',
    ['authn', 'names', 'component'],
    'authn/token-request.ts',
    'if (expirationSeconds > mostSeconds) {',
    'if (expirationSeconds > mostSeconds ** 2) {',
  ),
  slip(
    'a review of a token does not tell the pod that it is bound to',
    ['authn'],
    'authn/token-review.ts',
    '  ...(Object.keys(extra).length && { extra }),\n',
    "  ...(!name.startsWith('system:serviceaccount:') && Object.keys(extra).length && { extra }),\n",
  ),
  slip(
    'a token cannot be bound to a Secret',
    ['authn'],
    'authn/token-request.ts',
    "{ Pod: 'pods', Secret: 'secrets' }",
    "{ Pod: 'pods' }",
  ),
  slip(
    'a token that is asked for by the name of its pod alone is not bound to it',
    ['authn'],
    'authn/token-request.ts',
    "return { [kind.toLowerCase()]: { name, uid: object.metadata.uid ?? '' } };",
    "return uid ? { [kind.toLowerCase()]: { name, uid: object.metadata.uid ?? '' } } : {};",
  ),
  slip('a token review does not tell the uid', ['authn'], 'authn/token-review.ts', '  ...(uid && { uid }),\n', ''),
  slip(
    'a token review does not show the extras of the user',
    ['authn'],
    'authn/token-review.ts',
    'return { ...sent, authenticated: true, user: shown(user), audiences };',
    'return { ...sent, authenticated: true, user: { ...shown(user), extra: undefined }, audiences };',
  ),
  slip(
    'a token of the usual time lasts for a year, bound to a pod or not',
    ['authn'],
    'authn/token-request.ts',
    "options.extend && 'pod' in bound &&",
    'options.extend &&',
  ),
  slip(
    'a token of a pod lasts for a year, for whomever it is',
    ['authn'],
    'authn/token-request.ts',
    'const extended = renewable && forServer(spec, options);',
    'const extended = renewable;',
  ),
];
