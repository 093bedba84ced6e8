import type { User } from '../../base/user.ts';
import type { RequestInfo } from '../identify.ts';
import type { FlowRule, FlowSchema, NonResourceRule, ResourceRule, Subject } from './configuration.ts';

/** What a request is matched by. */
export type Asked = Pick<
  RequestInfo,
  'isResource' | 'verb' | 'path' | 'group' | 'resource' | 'subresource' | 'namespace' | 'sort'
>;

/** Whether a request belongs to a FlowSchema: one of its rules names the user, and what is asked for. */
export interface Matcher {
  isAboutUser(user: User): boolean;
  matches(user: User, asked: Asked): boolean;
}

export function matcherOf({ spec }: FlowSchema): Matcher {
  const rules = (spec?.rules ?? []).map(compileRule);
  return {
    isAboutUser: (user) => rules.some((rule) => rule.user(user)),
    matches: (user, asked) =>
      rules.some((rule) => (asked.isResource ? rule.resource(asked) : rule.path(asked)) && rule.user(user)),
  };
}

type Is<T> = (it: T) => boolean;

function compileRule({ subjects = [], resourceRules = [], nonResourceRules = [] }: FlowRule) {
  return {
    user: anyOf(subjects.map(isSubject)),
    resource: anyOf(resourceRules.map(holdsResource)),
    path: anyOf(nonResourceRules.map(holdsPath)),
  };
}

const anyOf =
  <T>(all: readonly Is<T>[]): Is<T> =>
  (it) => {
    for (const each of all) if (each(it)) return true;
    return false;
  };

const accounts = 'system:serviceaccount:';

function isSubject({ kind, user, group, serviceAccount }: Subject): Is<User> {
  if (kind === 'User') return ({ name }) => user?.name === '*' || user?.name === name;
  if (kind === 'Group') return ({ groups }) => group?.name === '*' || groups.includes(group?.name ?? '');
  const account = `${accounts}${serviceAccount?.namespace}:`;
  return serviceAccount?.name === '*'
    ? ({ name }) => name.startsWith(account) && !name.includes(':', account.length)
    : ({ name }) => name === account + serviceAccount?.name;
}

/** A list that holds what it names, or everything by `*`. */
function listed(list: readonly string[] = []): Is<string> {
  if (list.includes('*')) return () => true;
  const names = new Set(list);
  return (name) => names.has(name);
}

function holdsResource({ verbs, apiGroups, resources, clusterScope, namespaces }: ResourceRule): Is<Asked> {
  const [verb, group, resource, namespace] = [listed(verbs), listed(apiGroups), listed(resources), listed(namespaces)];
  return (asked) =>
    verb(asked.verb) &&
    group(asked.group) &&
    resource(asked.subresource ? `${asked.resource}/${asked.subresource}` : asked.resource) &&
    (asked.namespace ? namespace(asked.namespace) : clusterScope === true);
}

function holdsPath({ verbs, nonResourceURLs = [] }: NonResourceRule): Is<Asked> {
  const [verb, url] = [listed(verbs), listed(nonResourceURLs)];
  const below = nonResourceURLs.filter((each) => each.endsWith('/*')).map((each) => each.slice(0, -1));
  return (asked) => verb(asked.verb) && (url(asked.path) || below.some((prefix) => asked.path.startsWith(prefix)));
}
