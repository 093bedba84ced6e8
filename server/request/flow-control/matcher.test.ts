import { describe, expect, it } from 'vitest';
import type { User } from '../../base/user.ts';
import { Classifier } from './classifier.ts';
import type { FlowRule, FlowSchema, PriorityLevel } from './configuration.ts';
import { type Asked, matcherOf } from './matcher.ts';

const user = (name: string, ...groups: string[]): User => ({ name, uid: '', groups, extra: {} });
const read: Asked = {
  isResource: true,
  verb: 'get',
  path: '',
  group: 'apps',
  resource: 'deployments',
  subresource: '',
  namespace: 'a',
  sort: 'get apps/v1 deployments/',
};
const path = (text: string): Asked => ({
  ...read,
  isResource: false,
  path: text,
  group: '',
  resource: '',
  namespace: '',
  sort: 'get / /',
});
const everybody = { kind: 'Group', group: { name: '*' } };
const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true };
const schema = (name: string, level: string, precedence: number, ...rules: FlowRule[]): FlowSchema => ({
  kind: 'FlowSchema',
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1beta2',
  metadata: { name, uid: `uid of ${name}` },
  spec: { priorityLevelConfiguration: { name: level }, matchingPrecedence: precedence, rules },
});
const level = (name: string): PriorityLevel => ({
  kind: 'PriorityLevelConfiguration',
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1beta2',
  metadata: { name, uid: `uid of ${name}` },
});
const matches = (rule: FlowRule, who: User, asked: Asked) => matcherOf(schema('s', 'l', 1, rule)).matches(who, asked);

describe('subjects', () => {
  it.each([
    ['a user', { kind: 'User', user: { name: 'bob' } }, user('bob'), true],
    ['another user', { kind: 'User', user: { name: 'bob' } }, user('alice'), false],
    ['any user', { kind: 'User', user: { name: '*' } }, user('alice'), true],
    ['a group', { kind: 'Group', group: { name: 'devs' } }, user('x', 'ops', 'devs'), true],
    ['another group', { kind: 'Group', group: { name: 'devs' } }, user('devs', 'ops'), false],
    ['any group', everybody, user('x'), true],
    [
      'an account',
      { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b' } },
      user('system:serviceaccount:a:b'),
      true,
    ],
    [
      'every account of a namespace',
      { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } },
      user('system:serviceaccount:a:b'),
      true,
    ],
    [
      'accounts of another namespace',
      { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } },
      user('system:serviceaccount:ab:b'),
      false,
    ],
  ])('%s', (_, subject, who, expected) => {
    const rule = { subjects: [subject], resourceRules: [everything] };
    expect(matches(rule, who, read)).toBe(expected);
    expect(matcherOf(schema('s', 'l', 1, rule)).isAboutUser(who)).toBe(expected);
  });
});

describe('what is asked for', () => {
  it.each([
    ['everything', everything, read, true],
    ['a verb', { ...everything, verbs: ['list', 'get'] }, read, true],
    ['other verbs', { ...everything, verbs: ['list'] }, read, false],
    ['a group', { ...everything, apiGroups: ['apps'] }, read, true],
    ['the core group', { ...everything, apiGroups: [''] }, read, false],
    ['a resource', { ...everything, resources: ['deployments'] }, read, true],
    [
      'a resource without its parts',
      { ...everything, resources: ['deployments'] },
      { ...read, subresource: 'scale' },
      false,
    ],
    ['a part', { ...everything, resources: ['deployments/scale'] }, { ...read, subresource: 'scale' }, true],
    ['a namespace', { ...everything, namespaces: ['a'] }, read, true],
    ['other namespaces', { ...everything, namespaces: ['b'] }, read, false],
    ['what is in no namespace', { ...everything, namespaces: [] }, { ...read, namespace: '' }, true],
    ['what is in none, without saying so', { ...everything, clusterScope: false }, { ...read, namespace: '' }, false],
    ['no resources', everything, path('/version'), false],
  ])('%s', (_, rule, asked, expected) => {
    expect(matches({ subjects: [everybody], resourceRules: [rule] }, user('x'), asked)).toBe(expected);
  });

  it.each([
    ['*', '/anything', true],
    ['/healthz', '/healthz', true],
    ['/healthz', '/healthz/ping', false],
    ['/healthz/*', '/healthz/ping', true],
    ['/healthz/*', '/healthz', false],
    ['/version', '/api', false],
  ])('the path %s, asked for %s', (url, asked, expected) => {
    const rule = { subjects: [everybody], nonResourceRules: [{ verbs: ['get'], nonResourceURLs: [url] }] };
    expect(matches(rule, user('x'), path(asked))).toBe(expected);
    expect(matches(rule, user('x'), read)).toBe(false);
  });
});

describe('of several schemas', () => {
  const uncounted = () => ({ executing: 0, waiting: 0, dispatched: 0 });
  const rule = { subjects: [everybody], resourceRules: [everything] };
  const flowOf = (schemas: FlowSchema[], asked = read, who = user('x')) =>
    new Classifier(schemas, [level('high'), level('low')], uncounted).classify(who, asked);

  it('the one of lowest precedence counts, then that of the first name', () => {
    const schemas = [schema('z', 'low', 5, rule), schema('b', 'low', 3, rule), schema('a', 'high', 3, rule)];
    expect(flowOf(schemas)).toMatchObject({ name: 'a', level: 'high' });
    expect(flowOf(schemas)?.headers).toEqual({
      'x-kubernetes-pf-flowschema-uid': 'uid of a',
      'x-kubernetes-pf-prioritylevel-uid': 'uid of high',
    });
  });

  it('those without a level do not count', () => {
    expect(flowOf([schema('a', 'gone', 1, rule), schema('b', 'low', 2, rule)])?.name).toBe('b');
    expect(flowOf([schema('a', 'gone', 1, rule)])).toBeUndefined();
  });

  it('each request gets its own, though answers are remembered', () => {
    const inA = { ...rule, resourceRules: [{ ...everything, namespaces: ['a'], clusterScope: false }] };
    const classifier = new Classifier(
      [schema('a', 'high', 1, inA), schema('rest', 'low', 2, rule)],
      [level('high'), level('low')],
      uncounted,
    );
    const who = user('x');
    const names = (...asked: Asked[]) => asked.map((each) => classifier.classify(who, each)?.name);
    for (let round = 0; round < 2; round++) {
      expect(names(read, { ...read, namespace: 'b' }, { ...read, namespace: 'c' }, { ...read, namespace: '' })).toEqual(
        ['a', 'rest', 'rest', 'rest'],
      );
    }
  });
});
