import { slip, slips } from '../fault.ts';

const bootstrapToken = 'authn/bootstrap-token.ts';

/** Bootstrap tokens: which Secrets are one, for how long, and who comes with it. */
export default [
  slip(
    'a bootstrap token may be a Secret of any type',
    ['authn'],
    bootstrapToken,
    '|| secret.type !== secretType ||',
    '||',
  ),
  slip(
    'a bootstrap token goes by the name of its Secret alone',
    ['authn'],
    bootstrapToken,
    "  if (data('token-id') !== id) throw new Error('no such token');\n",
    '',
  ),
  slip(
    'a bootstrap token that has expired is taken',
    'authn',
    bootstrapToken,
    "if (expiration && !(parseTime(expiration) > now)) throw new Error('the token has expired');",
    '',
  ),
  slip(
    'a bootstrap token is taken whatever it is for',
    'authn',
    bootstrapToken,
    "if (data('usage-bootstrap-authentication') !== 'true') throw new Error('the token is not meant for authentication');",
    '',
  ),
  slip(
    'a bootstrap token has no extra groups',
    'authn',
    bootstrapToken,
    'return [group, ...extras];',
    'return [group];',
  ),
  slip('a bootstrap token may have a longer secret', ['authn'], bootstrapToken, '{16})$/', '{16,})$/'),
  slip(
    'a bootstrap token ends by the clock of Greenwich, whatever its zone',
    ['authn'],
    '../controllers/token-cleaner/plan.ts',
    '? millisecondsOf(text) : undefined;',
    '? millisecondsOf(`${text.slice(0, 19)}Z`) : undefined;',
  ),
  slip(
    'a bootstrap token may be in any namespace',
    ['authn'],
    'authn/bootstrap-token.ts',
    "const secret = await lookup.get('', 'secrets', namespace, `bootstrap-token-${id}`);",
    "const secret = (await lookup.list('', 'secrets', undefined as never)).find(({ metadata }) => metadata.name === `bootstrap-token-${id}`) ?? await lookup.get('', 'secrets', namespace, `bootstrap-token-${id}`);",
  ),
  slip(
    'the Secret of a bootstrap token may have any name',
    ['authn'],
    'authn/bootstrap-token.ts',
    "const secret = await lookup.get('', 'secrets', namespace, `bootstrap-token-${id}`);",
    "const secret = (await lookup.list('', 'secrets', namespace)).find((one) => dataOf(one)('token-id') === id);",
  ),
  slip(
    'the extra group of a bootstrap token is one',
    'authn',
    'authn/bootstrap-token.ts',
    "[...new Set(extra.split(','))].sort()",
    "[...new Set(extra.split(','))].sort().slice(0, 1)",
  ),
  slip(
    'Secrets that are called like bootstrap tokens are deleted like them',
    'authn',
    '../controllers/token-cleaner/plan.ts',
    "  secret.type === 'bootstrap.kubernetes.io/token' &&\n",
    '',
  ),
  slip(
    'an end that a bootstrap token gets later does not count',
    ['authn'],
    '../controllers/token-cleaner/reconcile.ts',
    'watches: [itself(secrets, isBootstrapToken)]',
    'watches: [itself(secrets, ((seen: Set<string>) => (secret) => isBootstrapToken(secret) && seen.size < seen.add(secret.metadata?.uid ?? "").size)(new Set()))]',
  ),
  slips('a bootstrap token that was taken once is taken whatever it is for by now', 'authn', [
    {
      file: 'authn/bootstrap-token.ts',
      from: "  if (data('usage-bootstrap-authentication') !== 'true')",
      to: "  if (data('usage-bootstrap-authentication') !== 'true' && !taken.has(id))",
    },
    {
      file: 'authn/bootstrap-token.ts',
      from: "  const groups = groupsOf(data('auth-extra-groups'));",
      to: "  taken.add(id);\n  const groups = groupsOf(data('auth-extra-groups'));",
    },
    {
      file: 'authn/bootstrap-token.ts',
      from: "const group = 'system:bootstrappers';",
      to: "const group = 'system:bootstrappers';\nconst taken = new Set<string>();",
    },
  ]),
  slip(
    'the end of a bootstrap token is read without its zone',
    ['authn'],
    'authn/rfc3339.ts',
    'Date.parse(text) :',
    "Date.parse(text.replace(/[+-]\\d\\d:\\d\\d$/, 'Z')) :",
  ),
  slip(
    'a bootstrap token whose Secret is going is taken',
    ['authn'],
    'authn/bootstrap-token.ts',
    'secret.type !== secretType || secret.metadata.deletionTimestamp)',
    'secret.type !== secretType)',
  ),
  slip(
    'a bootstrap token may be in any group',
    ['authn'],
    'authn/bootstrap-token.ts',
    "if (!extras.every((each) => extraGroup.test(each))) throw new Error('a group is not one of bootstrappers');",
    '',
  ),
  slip(
    'who comes with a bootstrap token is not among the authenticated',
    'authn',
    bootstrapToken,
    "return knownUser({ name: `system:bootstrap:${id}`, uid: '', groups, extra: noExtra });",
    "return { name: `system:bootstrap:${id}`, uid: '', groups, extra: noExtra };",
  ),
  slip(
    'a bootstrap token may be written large',
    'authn',
    bootstrapToken,
    'form.exec(token) ?? []',
    'form.exec(token.toLowerCase()) ?? []',
  ),
  slip(
    'a bootstrap token keeps the groups that it had when it was used first',
    ['authn'],
    'authn/bootstrap-token.ts',
    "  const groups = groupsOf(data('auth-extra-groups'));",
    "  const kept = ((globalThis as any).groupsOfTokens ??= new Map());\n  const groups = kept.get(id + secret.metadata.uid) ?? groupsOf(data('auth-extra-groups'));\n  kept.set(id + secret.metadata.uid, groups);",
  ),
];
