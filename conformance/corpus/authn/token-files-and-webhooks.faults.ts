import { slip } from '../fault.ts';

const tokenWebhook = 'authn/token-webhook.ts';

/** Users of a static token file, and those that a webhook for tokens names. */
export default [
  slip(
    'the user of a token file has no uid',
    ['authn'],
    'authn/static-token-file.ts',
    "uid: uid ?? '',",
    "uid: uid?.slice(0, 0) ?? '',",
  ),
  slip(
    'a user of a token file has the first group alone',
    'authn',
    'authn/static-token-file.ts',
    "groups: groups ? groups.split(',') : []",
    "groups: groups ? groups.split(',').slice(0, 1) : []",
  ),
  slip(
    'what a token webhook says of extra is lost',
    ['authn'],
    tokenWebhook,
    'extra[key] = textsOf(values);',
    'extra[key] = textsOf(values).slice(0, 1);',
  ),
  slip(
    'what a token webhook says is asked for anew each time',
    ['authn'],
    tokenWebhook,
    'answers.set(key, { answer }, options.cacheTtlMs);',
    'answers.set(key, { answer }, Math.min(0, options.cacheTtlMs));',
  ),
  slip('a webhook for tokens may name nobody, and nobody else', ['authn'], tokenWebhook, '!name', '(name)'),
  slip(
    'a webhook for tokens is asked in v1 unless it is said',
    ['authn'],
    'authn/flags.ts',
    "      'v1beta1',\n    ),",
    "      'v1',\n    ),",
  ),
  slip(
    'the uid that a token webhook tells is lost',
    ['authn'],
    'authn/token-webhook.ts',
    'uid: textOf(user.uid)',
    "uid: ''",
  ),
  slip(
    'a webhook for tokens that names somebody need not say that they are authenticated',
    'authn',
    'authn/token-webhook.ts',
    'if (status.authenticated !== true) {',
    'if (status.authenticated !== true && !status.user) {',
  ),
  slip(
    'what a token webhook said of a token for one audience holds for all',
    ['authn'],
    'authn/token-webhook.ts',
    'const key = `${digestOf(token)} ${JSON.stringify(audiences)}`;',
    'const key = digestOf(token);',
  ),
  slip(
    'who comes with a token about which nobody can be asked is anonymous',
    'authn',
    tokenWebhook,
    'judge(await post(review), apiVersion',
    "judge(await post(review).catch(() => ({ apiVersion, kind: 'TokenReview', status: { authenticated: true, user: { username: 'system:anonymous', groups: ['system:unauthenticated'] } } })), apiVersion",
  ),
  slip(
    'a webhook for tokens may answer in another version',
    'authn',
    tokenWebhook,
    "review.kind !== 'TokenReview' || review.apiVersion !== apiVersion",
    "review.kind !== 'TokenReview'",
  ),
  slip(
    'who stands in the token file is not among the authenticated',
    'authn',
    'authn/static-token-file.ts',
    "return knownUser({ name: name ?? ''",
    "return ((user) => user)({ name: name ?? ''",
  ),
  slip(
    'whom a token webhook names is not among the authenticated',
    'authn',
    tokenWebhook,
    'return knownUser({ name, uid: textOf(user.uid)',
    'return ((user) => user)({ name, uid: textOf(user.uid)',
  ),
  slip(
    'a webhook for tokens that failed is taken to have refused for as long as an answer is kept',
    ['authn'],
    'authn/token-webhook.ts',
    'const answer = judge(await post(review), apiVersion, audiences, options.serverAudiences);',
    'const answer = await post(review).then((said) => judge(said, apiVersion, audiences, options.serverAudiences), () => undefined);',
  ),
];
