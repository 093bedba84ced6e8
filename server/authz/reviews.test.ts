import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject, ObjectMeta } from '../base/kube-object.ts';
import type { User } from '../base/user.ts';
import type { Operation, OperationInput } from '../kinds/strategy.ts';
import type { Authorizer } from './authorizer.ts';
import { type RbacWorld, rbacWorld, somebody, user } from './rbac.fixture.ts';
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
} from './reviews.ts';

let world: RbacWorld;
beforeEach(async () => {
  world = await rbacWorld();
  await world.role('ns', 'r', { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] });
  await world.bind('ns', 'b', 'Role', 'r', user('bob'));
});

const bob = somebody('bob');
const getMaps = { namespace: 'ns', verb: 'get', resource: 'configmaps' };

async function run(operation: Operation, spec: object, metadata: ObjectMeta = {}, namespace = '', caller: User = bob) {
  const body = { kind: '', apiVersion: '', metadata, spec } as KubeObject;
  const answer = await operation({ body, namespace, name: '', context: { user: caller } } as unknown as OperationInput);
  return answer as { readonly code: number; readonly object: KubeObject };
}

const causes = async (running: Promise<unknown>) => {
  const error = await running.then(
    () => undefined,
    (caught: { status: { details: { causes: { field: string }[] } } }) => caught.status,
  );
  expect(error).toMatchObject({ code: 422, details: { group: 'authorization.k8s.io' } });
  expect(error?.details).not.toHaveProperty('kind');
  return error?.details.causes.map(({ field }) => field);
};

describe('SubjectAccessReview', () => {
  const review = (spec: object, metadata?: ObjectMeta) => run(subjectAccessReview(world.rbac), spec, metadata);

  it('answers 201 with the decision, and with a reason when it allows', async () => {
    expect(await review({ user: 'bob', resourceAttributes: getMaps })).toMatchObject({
      code: 201,
      object: { kind: 'SubjectAccessReview', status: { allowed: true, reason: expect.stringContaining('RBAC') } },
    });
    const { object } = await review({ user: 'bob', resourceAttributes: { ...getMaps, verb: 'list' } });
    expect(object.status).toEqual({ allowed: false });
  });

  it('takes the groups as they are', async () => {
    const asked: User[] = [];
    const spy: Authorizer = {
      authorize: (who) => {
        asked.push(who);
        return { decision: 'deny', reason: '' };
      },
    };
    const extra = { scopes: ['a'], __proto__: 1 };
    const { object } = await run(subjectAccessReview(spy), {
      groups: ['g'],
      uid: 'u',
      extra,
      resourceAttributes: getMaps,
    });
    expect(asked[0]).toMatchObject({ name: '', uid: 'u', groups: ['g'] });
    expect(object.status).toEqual({ allowed: false, denied: true });
  });

  it.each([
    ['nobody named', { resourceAttributes: getMaps }, {}, ['spec.user']],
    ['nothing asked', { user: 'bob' }, {}, ['spec.resourceAttributes']],
    [
      'both asked',
      { user: 'bob', resourceAttributes: getMaps, nonResourceAttributes: { path: '/' } },
      {},
      ['spec.nonResourceAttributes'],
    ],
    ['a name', { user: 'bob', resourceAttributes: getMaps }, { name: 'x' }, ['metadata']],
    ['labels', { user: 'bob', resourceAttributes: getMaps }, { labels: { a: 'b' } }, ['metadata']],
    ['everything wrong', {}, { name: 'x' }, ['spec.user', 'spec.resourceAttributes', 'metadata']],
  ])('refuses %s', async (_, spec, metadata, fields) => {
    expect(await causes(review(spec, metadata))).toEqual(fields);
  });
});

describe('SelfSubjectAccessReview', () => {
  it('is about the caller', async () => {
    const operation = selfSubjectAccessReview(world.rbac);
    expect((await run(operation, { resourceAttributes: getMaps })).object.status).toMatchObject({ allowed: true });
    const other = await run(operation, { resourceAttributes: getMaps }, {}, '', somebody('eve'));
    expect(other.object.status).toEqual({ allowed: false });
    expect(await causes(run(operation, {}))).toEqual(['spec.resourceAttributes']);
  });
});

describe('LocalSubjectAccessReview', () => {
  const review = (spec: object) =>
    run(localSubjectAccessReview(world.rbac), { user: 'bob', ...spec }, { namespace: 'ns' }, 'ns');

  it('is about its own namespace', async () => {
    expect((await review({ resourceAttributes: getMaps })).object).toMatchObject({
      metadata: { namespace: 'ns' },
      status: { allowed: true },
    });
    const field = ['spec.resourceAttributes.namespace'];
    expect(await causes(review({ resourceAttributes: { ...getMaps, namespace: 'other' } }))).toEqual(field);
    expect(await causes(review({ resourceAttributes: { verb: 'get' } }))).toEqual(field);
  });

  it('knows no other URLs', async () => {
    expect(await causes(review({ nonResourceAttributes: { path: '/', verb: 'get' } }))).toEqual([
      'spec.nonResourceAttributes',
    ]);
  });
});

describe('SelfSubjectRulesReview', () => {
  const source = {
    rulesFor: () => ({
      rules: [
        { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] },
        { verbs: ['get'], nonResourceURLs: ['/x'] },
      ],
      incomplete: true,
      error: 'something is missing',
    }),
  };

  it('lists rules of both kinds and forgets the spec', async () => {
    const { object } = await run(selfSubjectRulesReview(source), { namespace: 'ns' });
    expect(object).toMatchObject({
      spec: {},
      status: {
        resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
        incomplete: true,
        evaluationError: 'something is missing',
      },
    });
  });

  it('needs a namespace', async () => {
    await expect(run(selfSubjectRulesReview(source), {})).rejects.toMatchObject({ status: { code: 400 } });
  });
});
