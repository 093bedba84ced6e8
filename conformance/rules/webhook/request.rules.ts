import { mighty, whoAmI } from '../../checks/access/identity.ts';
import { connectionRequests } from '../../checks/webhooks/connections.ts';
import { showsBoth } from '../../checks/webhooks/reviewed-changes.ts';
import { tellsOptions } from '../../checks/webhooks/reviewed-options.ts';
import { reviewedKinds } from '../../checks/webhooks/reviewed-writes.ts';
import { tellsKinds } from '../../checks/webhooks/told-kinds.ts';
import { heldFrom } from '../../holds-for.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { spoilReview, uncalled } from '../../sabotage/webhooks.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { said } from '../../verbs/said.ts';
import { named } from '../../verbs/subjects.ts';
import { configure, remembered, requestsOf } from '../../verbs/webhooks.ts';
import { reviewRules } from '../webhook-review-rules.ts';

const needs = ['webhooks'] as const;
const all = ['CREATE', 'UPDATE', 'DELETE'];
const onSecrets = (operations: readonly string[]) => [
  { apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations },
];

/** What a validating webhook is sent for a create, an update and a delete of one Secret. */
async function reviewed(
  context: RuleContext,
): Promise<{ create: Json; update: Json; remove: Json; name: string; hook: Json }> {
  const { secrets } = context;
  const { hooks } = await configure(context, 'validating', [{ over: { rules: onSecrets(all) } }]);
  const hook = hooks[0] as Json;
  const { metadata } = await secrets.create({ data: { a: 'aaaa' } });
  await remembered(secrets, await secrets.merge(metadata.name, { data: { a: 'bbbb' } }));
  await secrets.remove(metadata.name);
  const [create, update, remove] = requestsOf(hook);
  return { create, update, remove, name: metadata.name, hook };
}

/** Of somebody else the review tells the name, the uid, the groups and what is extra. */
async function tellsOfAnother(context: RuleContext): Promise<void> {
  const { secrets, unique, expect } = context;
  const { hooks } = await configure(context, 'validating', [{ over: { rules: onSecrets(['CREATE']) } }]);
  const name = unique('jane');
  const more = { 'impersonate-uid': 'u-1', 'impersonate-extra-colour': ['red', 'blue'] };
  const headers = mighty(name, { ...more, 'impersonate-group': ['system:masters', 'devs'] });
  expect((await secrets.post(secrets.sample(), '', { headers })).status, 'as another user').toBe(201);
  const [request] = hooks.flatMap(requestsOf);
  expect(request?.userInfo).toMatchObject({ username: name, uid: 'u-1', extra: { colour: ['red', 'blue'] } });
  expect([...request.userInfo.groups].sort()).toEqual(['devs', 'system:authenticated', 'system:masters']);
}

/** A name that the server makes up is made up before anybody is asked about the object. */
async function tellsMadeUpName(context: RuleContext): Promise<void> {
  const { secrets, expect } = context;
  const { hooks } = await configure(context, 'validating', [{ over: { rules: onSecrets(['CREATE']) } }]);
  const { metadata, ...rest } = secrets.sample();
  const { name: _, ...others } = metadata;
  const answer = await secrets.post({ ...rest, metadata: { ...others, generateName: 'made-up-' } });
  expect(answer.status, said(answer)).toBe(201);
  expect(hooks.flatMap(requestsOf)[0]?.name, 'the name of one that is made up').toBe(answer.body.metadata.name);
}

/** A part of the request is as it must be. */
const partRule = (
  id: string,
  spoiled: string,
  value: Json,
  holds: (reviews: Awaited<ReturnType<typeof reviewed>>, context: RuleContext) => void | Promise<void>,
): Rule =>
  defineRule(`webhook.request.${id}`, {
    needs,
    sabotage: [spoilReview(`request.${spoiled}`, value), uncalled],
    check: async (context) => holds(await reviewed(context), context),
  });

export default [
  ...reviewRules,

  // The call is a POST of JSON, and says so.
  defineRule('webhook.request.post-json', {
    needs,
    sabotage: uncalled,
    async check(context) {
      const { hook } = await reviewed(context);
      context.expect(hook.received.length, 'calls').toBe(3);
      for (const { method, contentType } of hook.received) {
        context.expect(method).toBe('POST');
        context.expect(contentType).toMatch(/^application\/json/);
      }
    },
  }),

  // What is sent is an AdmissionReview of `admission.k8s.io`, version `v1` or `v1beta1`, with its `request`.
  defineRule('webhook.request.review', {
    needs,
    sabotage: [spoilReview('kind', 'Review'), spoilReview('apiVersion', 'v1')],
    async check(context) {
      const { hook } = await reviewed(context);
      context.expect(hook.received.length, 'calls').toBe(3);
      for (const { review } of hook.received) {
        context.expect(review).toMatchObject({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' });
        context.expect(review.request).toBeTypeOf('object');
      }
    },
  }),

  partRule('uid', 'uid', 'always-the-same', async ({ create, update, remove }, context) => {
    const { secrets, expect } = context;
    const uids = [create?.uid, update?.uid, remove?.uid];
    for (const uid of uids) expect(uid).toBeTypeOf('string');
    expect(new Set(uids).size).toBe(3);
    const rules = { over: { rules: onSecrets(['CREATE']) } };
    const [validating, mutating] = [
      await configure(context, 'validating', [rules, rules]),
      await configure(context, 'mutating', [rules, rules]),
    ];
    await secrets.create();
    const calls = [...mutating.hooks, ...validating.hooks].flatMap(requestsOf);
    expect(calls, 'calls for one request').toHaveLength(4);
    expect(new Set(calls.map(({ uid }: Json) => uid)).size, 'of the calls for one request').toBe(4);
  }),

  // `kind` tells group, version and kind of the object.
  defineRule('webhook.request.kind', {
    needs,
    matrix: { kind: named('secrets', 'pods', 'widgets') },
    sabotage: [spoilReview('request.kind', {}), uncalled],
    check: tellsKinds,
  }),

  partRule('resource', 'resource', {}, ({ create, remove }, { expect }) => {
    for (const request of [create, remove])
      expect(request?.resource).toEqual({ group: '', version: 'v1', resource: 'secrets' });
  }),

  partRule('name', 'name', 'other', async ({ create, update, remove, name }, context) => {
    for (const request of [create, update, remove]) context.expect(request?.name).toBe(name);
    if (!heldFrom({ from: 25 }, context.version)) await tellsMadeUpName(context);
  }),

  partRule('namespace', 'namespace', 'other', async ({ create, update, remove }, { expect, namespace }) => {
    for (const request of [create, update, remove]) expect(request?.namespace).toBe(await namespace());
  }),

  partRule('user-info', 'userInfo', {}, async ({ create, update, remove }, context) => {
    const { username, uid, groups, extra } = await whoAmI(context);
    for (const request of [create, update, remove]) {
      context.expect(request?.userInfo?.username).toBe(username);
      context.expect(request.userInfo.uid ?? '').toBe(uid ?? '');
      context.expect([...(request.userInfo.groups ?? [])].sort()).toEqual([...groups].sort());
      context.expect(request.userInfo.extra ?? {}).toEqual(extra ?? {});
    }
    if (!context.capabilities.includes('second-user')) return;
    await tellsOfAnother(context);
  }),

  partRule('object', 'object', null, ({ create, update, name }, { expect }) => {
    expect(create?.object).toMatchObject({ kind: 'Secret', apiVersion: 'v1', metadata: { name }, data: { a: 'aaaa' } });
    expect(update?.object).toMatchObject({ kind: 'Secret', metadata: { name }, data: { a: 'bbbb' } });
  }),

  partRule('object.delete', 'object', {}, ({ remove }, { expect }) => {
    expect(remove?.operation).toBe('DELETE');
    expect(remove.object ?? null).toBeNull();
  }),

  // For update and delete `oldObject` is what is there.
  defineRule('webhook.request.old-object', {
    needs,
    matrix: { kind: reviewedKinds },
    sabotage: [
      spoilReview('request.oldObject', null),
      spoilReview('request.oldObject.metadata.annotations', {}),
      spoilReview('request.oldObject.metadata.name', 'other'),
      spoilReview('request.object.metadata.labels', {}),
      uncalled,
    ],
    async check(context, { kind }) {
      await showsBoth(context, kind);
      if (kind.name !== 'secrets') return;
      const { update, remove, name } = await reviewed(context);
      const { expect } = context;
      expect(update?.oldObject).toMatchObject({ kind: 'Secret', metadata: { name }, data: { a: 'aaaa' } });
      expect(remove?.oldObject).toMatchObject({ kind: 'Secret', metadata: { name }, data: { a: 'bbbb' } });
    },
  }),

  // For create and connect there is no `oldObject`.
  defineRule('webhook.request.old-object.null', {
    needs: ['webhooks', 'pods'],
    sabotage: [spoilReview('request.oldObject', {}), uncalled],
    async check(context) {
      const { expect } = context;
      const { create } = await reviewed(context);
      expect(create?.operation).toBe('CREATE');
      expect(create).not.toHaveProperty('oldObject', expect.anything());
      const [[connect] = []] = await connectionRequests(context, {});
      expect(connect?.operation).toBe('CONNECT');
      expect(connect).not.toHaveProperty('oldObject', expect.anything());
    },
  }),

  partRule('options', 'options', {}, async ({ create, update, remove }, context) => {
    const { expect } = context;
    const kinds = [create, update, remove].map((request) => request?.options?.kind);
    // A genuine server takes a PATCH for an update.
    expect(kinds).toEqual(['CreateOptions', 'UpdateOptions', 'DeleteOptions']);
    await tellsOptions(context);
  }),

  // `subResource` tells the subresource when there is one.
  defineRule('webhook.request.sub-resource', {
    needs,
    sabotage: [spoilReview('request.subResource', 'scale'), uncalled],
    async check(context) {
      const { ingresses, expect } = context;
      const rules = [
        {
          apiGroups: ['networking.k8s.io'],
          apiVersions: ['v1'],
          resources: ['ingresses', 'ingresses/status'],
          operations: ['UPDATE'],
        },
      ];
      const { hooks } = await configure(context, 'validating', [{ over: { rules } }]);
      const { metadata } = await ingresses.create();
      await remembered(ingresses, await ingresses.merge(metadata.name, { metadata: { labels: { a: 'b' } } }));
      await ingresses.merge(metadata.name, { status: { loadBalancer: {} } }, 'status');
      expect(hooks.flatMap(requestsOf).map((request) => request?.subResource ?? '')).toEqual(['', 'status']);
      const asked = hooks.flatMap(requestsOf).map((request) => request?.requestSubResource ?? '');
      expect(asked, 'as it was asked for').toEqual(['', 'status']);
    },
  }),

  // `requestKind`, `requestResource` and `requestSubResource` tell what was asked for before any conversion.
  defineRule('webhook.request.original', {
    needs,
    sabotage: [spoilReview('request.requestKind', {}), spoilReview('request.requestResource', {})],
    async check(context) {
      const { kind, expect } = context;
      const rules = [
        {
          apiGroups: ['autoscaling'],
          apiVersions: ['v1'],
          resources: ['horizontalpodautoscalers'],
          operations: ['CREATE'],
        },
      ];
      const { hooks } = await configure(context, 'validating', [{ over: { rules } }]);
      const scalers = kind({
        group: 'autoscaling',
        version: 'v2',
        resource: 'horizontalpodautoscalers',
        kind: 'HorizontalPodAutoscaler',
        namespaced: true,
      });
      const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'front' } };
      await scalers.create({ spec });
      const [request] = hooks.flatMap(requestsOf);
      const gvk = { group: 'autoscaling', kind: 'HorizontalPodAutoscaler' };
      expect(request?.kind, 'as the rule lists it').toEqual({ ...gvk, version: 'v1' });
      expect(request?.requestKind, 'as it was asked for').toEqual({ ...gvk, version: 'v2' });
      expect(request?.requestResource).toEqual({
        group: 'autoscaling',
        version: 'v2',
        resource: 'horizontalpodautoscalers',
      });
    },
  }),

  // For connect there are no `options`.
  defineRule('webhook.request.options.connect', {
    needs: ['webhooks', 'pods'],
    sabotage: [spoilReview('request.options', { kind: 'ConnectOptions' }), uncalled],
    async check(context) {
      const [[request] = []] = await connectionRequests(context, {});
      context.expect(request?.operation).toBe('CONNECT');
      context.expect(request.options ?? null).toBeNull();
    },
  }),
];
