import { describe, expect, it } from 'vitest';
import type { Authorizer, ResourceAction } from '../authz/authorizer.ts';
import type { User } from '../base/user.ts';
import { noticedIn } from './identify.ts';
import { type HeaderValues, impersonate } from './impersonate.ts';

type Lines = readonly (readonly [name: string, value: string])[];

const headersOf = (lines: Lines): HeaderValues => ({
  header: (name) => lines.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value),
  headerNames: () => lines.map(([name]) => name.toLowerCase()),
});

const bob: User = { name: 'bob', uid: 'bob-uid', groups: ['system:masters'], extra: { scopes: ['all'] } };
const everything: Authorizer = { authorize: () => ({ decision: 'allow', reason: '' }) };

const as = (...lines: Lines) => impersonate(headersOf(lines), bob, everything);

describe('whom the headers ask for', () => {
  it('is nobody without them, or with an empty user alone', async () => {
    expect(await as()).toBeUndefined();
    expect(await as(['Impersonate-User', ''])).toBeUndefined();
    expect(noticedIn(['Accept', '*/*']).impersonates).toBe(false);
    expect(noticedIn(['Impersonate-Uid', 'x']).impersonates).toBe(true);
  });

  it('keeps nothing of the caller', async () => {
    expect(await as(['Impersonate-User', 'bob'])).toEqual({
      name: 'bob',
      uid: '',
      groups: ['system:authenticated'],
      extra: {},
    });
  });

  it.each([
    ['jane', ['dev', 'qa', 'dev'], ['dev', 'qa', 'dev', 'system:authenticated']],
    ['jane', ['a,b'], ['a,b', 'system:authenticated']],
    ['jane', ['dev', 'system:authenticated'], ['dev', 'system:authenticated']],
    ['jane', ['dev', 'system:unauthenticated'], ['dev', 'system:unauthenticated']],
    ['system:anonymous', [], ['system:unauthenticated']],
    ['system:anonymous', ['dev'], ['dev', 'system:unauthenticated']],
    [
      'system:serviceaccount:prod:robot',
      [],
      ['system:serviceaccounts', 'system:serviceaccounts:prod', 'system:authenticated'],
    ],
    ['system:serviceaccount:prod:robot', ['dev'], ['dev', 'system:authenticated']],
    ['system:serviceaccount:prod', [], ['system:authenticated']],
    ['system:serviceaccount:prod:a:b', [], ['system:authenticated']],
  ])('%s with groups %j is in %j', async (name, groups, expected) => {
    const lines = groups.map((group) => ['Impersonate-Group', group] as const);
    expect((await as(['Impersonate-User', name], ...lines))?.groups).toEqual(expected);
  });

  it('has a uid and extras, keys in lower case and decoded', async () => {
    const user = await as(
      ['impersonate-user', 'jane'],
      ['Impersonate-Uid', 'u-1'],
      ['Impersonate-Extra-Scopes', 'view'],
      ['impersonate-extra-scopes', 'edit'],
      ['Impersonate-Extra-acme.com%2fProject%20Two', 'p2'],
      ['Impersonate-Extra-bad%zz', 'x'],
      ['Impersonate-Extra-', ''],
      ['Impersonate-Extra-__proto__', 'x'],
    );
    expect(user?.uid).toBe('u-1');
    expect(Object.entries(user?.extra ?? {})).toEqual([
      ['scopes', ['view', 'edit']],
      ['acme.com/project two', ['p2']],
      ['bad%zz', ['x']],
      ['', ['']],
      ['__proto__', ['x']],
    ]);
  });

  it.each([['Impersonate-Group'], ['Impersonate-Uid'], ['Impersonate-Extra-a']])(
    'is refused for %s without a user',
    async (header) => {
      await expect(as([header, 'x'])).rejects.toMatchObject({ status: { code: 400 } });
      await expect(as(['Impersonate-User', ''], [header, 'x'])).rejects.toMatchObject({ status: { code: 400 } });
    },
  );
});

describe('what the caller must be allowed', () => {
  const lines: Lines = [
    ['Impersonate-User', 'jane'],
    ['Impersonate-Extra-Scopes', 'view'],
    ['Impersonate-Extra-Scopes', 'edit'],
    ['Impersonate-Uid', 'u-1'],
    ['Impersonate-Group', 'dev'],
    ['Impersonate-Group', 'qa'],
  ];
  const text = ({ verb, group, resource, subresource, namespace, name }: ResourceAction) =>
    [verb, group, subresource ? `${resource}/${subresource}` : resource, namespace, name].join(' ');

  it('is each part on its own: user, groups, extras, uid', async () => {
    const asked: string[] = [];
    const spy: Authorizer = {
      authorize: (user, action) => {
        expect(user).toBe(bob);
        if (action.type === 'resource') asked.push(text(action));
        return { decision: 'allow', reason: '' };
      },
    };
    await impersonate(headersOf(lines), bob, spy);
    expect(asked).toEqual([
      'impersonate  users  jane',
      'impersonate  groups  dev',
      'impersonate  groups  qa',
      'impersonate authentication.k8s.io userextras/scopes  view',
      'impersonate authentication.k8s.io userextras/scopes  edit',
      'impersonate authentication.k8s.io uids  u-1',
    ]);
  });

  it('is the account in its namespace for a service account', async () => {
    const asked: string[] = [];
    const spy: Authorizer = {
      authorize: (_, action) => {
        if (action.type === 'resource') asked.push(text(action));
        return { decision: 'allow', reason: '' };
      },
    };
    await impersonate(headersOf([['Impersonate-User', 'system:serviceaccount:prod:robot']]), bob, spy);
    expect(asked).toEqual(['impersonate  serviceaccounts prod robot']);
  });

  it.each([
    [
      'users',
      'users "jane" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope',
      { name: 'jane', kind: 'users' },
    ],
    [
      'groups',
      'groups "dev" is forbidden: User "bob" cannot impersonate resource "groups" in API group "" at the cluster scope',
      { name: 'dev', kind: 'groups' },
    ],
    [
      'userextras',
      'userextras.authentication.k8s.io "view" is forbidden: User "bob" cannot impersonate resource "userextras/scopes" in API group "authentication.k8s.io" at the cluster scope',
      { name: 'view', group: 'authentication.k8s.io', kind: 'userextras' },
    ],
    [
      'uids',
      'uids.authentication.k8s.io "u-1" is forbidden: User "bob" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
      { name: 'u-1', group: 'authentication.k8s.io', kind: 'uids' },
    ],
  ])('is refused at the first of the %s', async (resource, message, details) => {
    for (const decision of ['no opinion', 'deny'] as const) {
      const without: Authorizer = {
        authorize: async (_, action) =>
          action.type === 'resource' && action.resource === resource
            ? { decision, reason: '' }
            : { decision: 'allow', reason: '' },
      };
      const refused = impersonate(headersOf(lines), bob, without);
      await expect(refused).rejects.toMatchObject({ status: { code: 403, reason: 'Forbidden', message, details } });
    }
  });
});
