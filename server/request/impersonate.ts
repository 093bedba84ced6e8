import type { Authorizer, ResourceAction } from '../authz/authorizer.ts';
import { refusal } from '../authz/refusal.ts';
import { extraKey, headerText } from '../base/header-text.ts';
import { badRequest } from '../base/status-error.ts';
import { anonymous, authenticatedGroup, type User, unauthenticatedGroup } from '../base/user.ts';

/** Headers of a request: lower-case names (one may come more than once), all values that were sent. */
export interface HeaderValues {
  header(name: string): readonly string[];
  headerNames(): Iterable<string>;
}

const extraPrefix = 'impersonate-extra-';
const authenticationGroup = 'authentication.k8s.io';

interface Asked {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

function askedOf(headers: HeaderValues): Asked {
  const extra = new Map<string, string[]>();
  for (const name of new Set(headers.headerNames())) {
    if (!name.startsWith(extraPrefix)) continue;
    const key = extraKey(name.slice(extraPrefix.length));
    extra.set(key, [...(extra.get(key) ?? []), ...headers.header(name).map(headerText)]);
  }
  return {
    name: headerText(headers.header('impersonate-user')[0] ?? ''),
    uid: headerText(headers.header('impersonate-uid')[0] ?? ''),
    groups: headers.header('impersonate-group').map(headerText),
    extra,
  };
}

/** Namespace and name of a service account's user name. */
function serviceAccount(name: string): { namespace: string; name: string } | undefined {
  const parts = name.split(':');
  const [system, kind, namespace, account] = parts;
  if (parts.length !== 4 || system !== 'system' || kind !== 'serviceaccount' || !namespace || !account)
    return undefined;
  return { namespace, name: account };
}

const action = (group: string, resource: string, name: string, more: Partial<ResourceAction> = {}): ResourceAction => ({
  type: 'resource',
  verb: 'impersonate',
  group,
  version: group ? 'v1' : '',
  resource,
  subresource: '',
  namespace: '',
  name,
  ...more,
});

/** The rights the caller needs, in the order in which they are judged (rules `impersonate.permission.*`). */
function* neededRights(asked: Asked): Generator<ResourceAction> {
  const account = serviceAccount(asked.name);
  if (account) yield action('', 'serviceaccounts', account.name, { namespace: account.namespace });
  else yield action('', 'users', asked.name);
  for (const group of asked.groups) yield action('', 'groups', group);
  for (const [key, values] of asked.extra) {
    for (const value of values) yield action(authenticationGroup, 'userextras', value, { subresource: key });
  }
  if (asked.uid) yield action(authenticationGroup, 'uids', asked.uid);
}

function groupsOf({ name, groups }: Asked): readonly string[] {
  if (name === anonymous.name) {
    return groups.includes(unauthenticatedGroup) ? groups : [...groups, unauthenticatedGroup];
  }
  const account = groups.length ? undefined : serviceAccount(name);
  const given = account ? ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`] : groups;
  return given.includes(authenticatedGroup) || given.includes(unauthenticatedGroup)
    ? given
    : [...given, authenticatedGroup];
}

function userOf(asked: Asked): User {
  const extra: Record<string, readonly string[]> = Object.create(null);
  for (const [key, values] of asked.extra) extra[key] = values;
  return { name: asked.name, uid: asked.uid, groups: groupsOf(asked), extra };
}

/**
 * Who the request acts as: the user that its Impersonate headers ask for, or undefined when it has none. Each part is
 * judged apart; the first refusal is told.
 * @throws StatusError 403 without the right to one part; 400 for groups, uid or extras without a user (`impersonate.needs-user`)
 */
export async function impersonate(
  headers: HeaderValues,
  caller: User,
  authorizer: Authorizer,
): Promise<User | undefined> {
  const asked = askedOf(headers);
  if (!asked.name) {
    if (!asked.groups.length && !asked.uid && !asked.extra.size) return undefined;
    throw badRequest('Impersonate-Group, Impersonate-Uid and Impersonate-Extra-* need an Impersonate-User');
  }
  for (const right of neededRights(asked)) {
    const { decision, reason } = await authorizer.authorize(caller, right);
    if (decision !== 'allow') throw refusal(caller, right, reason);
  }
  return userOf(asked);
}
