import { slip } from '../fault.ts';

const impersonate = 'request/impersonate.ts';

/** Which rights it takes to act as another. */
export default [
  slip(
    'the right to act as one user alone does not hold',
    ['impersonate'],
    impersonate,
    "else yield action('', 'users', asked.name);",
    "else yield action('', 'users', '');",
  ),
  slip(
    'of several extra values to act with the first is asked for alone',
    ['impersonate'],
    impersonate,
    'for (const value of values) yield',
    'for (const value of values.slice(0, 1)) yield',
  ),
  slip(
    'the right to act as a service account must be held everywhere',
    ['impersonate'],
    impersonate,
    'account.name, { namespace: account.namespace });',
    'account.name, { namespace: account.namespace.slice(0, 0) });',
  ),
  slip(
    'the right to act with one uid alone does not hold',
    ['impersonate'],
    impersonate,
    "yield action(authenticationGroup, 'uids', asked.uid);",
    "yield action(authenticationGroup, 'uids', '');",
  ),
  slip(
    'the right to act with a uid is not asked for',
    'impersonate',
    impersonate,
    "if (asked.uid) yield action(authenticationGroup, 'uids', asked.uid);",
    '',
  ),
  slip(
    'the right to act with extra values is asked for without their key',
    'impersonate',
    impersonate,
    "yield action(authenticationGroup, 'userextras', value, { subresource: key });",
    "yield action(authenticationGroup, 'userextras', value);",
  ),
  slip(
    'the right to act as a service account is asked for as that of a user',
    'impersonate',
    impersonate,
    "if (account) yield action('', 'serviceaccounts', account.name, { namespace: account.namespace });\n  else yield",
    'yield',
  ),
  slip(
    'the right to act with a group is asked for the first alone',
    'impersonate',
    impersonate,
    "for (const group of asked.groups) yield action('', 'groups', group);",
    "for (const group of asked.groups.slice(0, 1)) yield action('', 'groups', group);",
  ),
  slip(
    'whoever may act as somebody may be among all who are authenticated',
    ['impersonate'],
    impersonate,
    "for (const group of asked.groups) yield action('', 'groups', group);",
    "for (const group of asked.groups) if (group !== authenticatedGroup) yield action('', 'groups', group);",
  ),
  slip(
    'a name in a grant to act with groups is not looked at',
    ['impersonate'],
    'authz/policy-rule.ts',
    '(rule.names === undefined || rule.names.has(name));',
    "(rule.names === undefined || rule.names.has(name) || (verb === 'impersonate' && rule.resources.has('groups') && !rule.resources.has('users')));",
  ),
  slip(
    'a uid to act with beside groups needs no right',
    ['impersonate'],
    'request/impersonate.ts',
    'if (asked.uid) yield',
    'if (asked.uid && !asked.groups.length) yield',
  ),
  slip(
    'a right to act with an extra is looked up by its escaped key',
    ['impersonate'],
    'request/impersonate.ts',
    '{ subresource: key });',
    '{ subresource: encodeURIComponent(key) });',
  ),
  slip(
    'groups to act with beside a service account need no right',
    ['impersonate'],
    'request/impersonate.ts',
    'for (const group of asked.groups) yield',
    'if (!account) for (const group of asked.groups) yield',
  ),
  slip(
    'of several extra keys to act with the right to the first is asked for alone',
    ['impersonate'],
    'request/impersonate.ts',
    'for (const [key, values] of asked.extra) {\n    for (const value of values) yield',
    'for (const [key, values] of [...asked.extra].slice(0, 1)) {\n    for (const value of values) yield',
  ),
];
