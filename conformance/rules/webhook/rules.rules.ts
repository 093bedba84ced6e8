import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus } from '../../sabotage/transforms.ts';
import { misreadHook, uncalled } from '../../sabotage/webhooks.ts';
import type { Json } from '../../verbs/client.ts';
import { connectionRequests } from '../../verbs/connections.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { runLabel } from '../../verbs/permit.ts';
import { configure, requestsOf } from '../../verbs/webhooks.ts';
import { validityRule } from '../field-rules.ts';

/** What a hook has heard, without cluster-scoped objects of others: no selector keeps those away. */
const ownOf = (hook: Parameters<typeof requestsOf>[0]): Json[] =>
  requestsOf(hook).filter(({ namespace, resource }) => namespace || resource?.resource === 'namespaces');

const needs = ['webhooks'] as const;
const kind = 'validatingWebhooks';

type Act = (context: RuleContext) => Promise<unknown>;

const acts = {
  'create a Secret': ({ secrets }) => secrets.create(),
  'create a Lease': ({ leases }) => leases.create(),
  'update a Lease': async ({ leases }) =>
    leases.merge((await leases.create()).metadata.name, { metadata: { labels: { a: 'b' } } }),
  'delete a Lease': async ({ leases }) => leases.remove((await leases.create()).metadata.name),
  'create an Ingress': ({ ingresses }) => ingresses.create(),
  'update the status of an Ingress': async ({ ingresses }) =>
    ingresses.merge((await ingresses.create()).metadata.name, { status: { loadBalancer: {} } }, 'status'),
  'ask for a token': async ({ serviceAccounts }) => {
    const { metadata } = await serviceAccounts.create();
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { labels: metadata.labels },
    };
    return serviceAccounts.postTo(metadata.name, 'token', { ...body, spec: {} });
  },
  'update the namespace': async ({ namespaces, namespace }) =>
    namespaces.merge(await namespace(), { metadata: { labels: { a: 'b' } } }),
  'update the status of the namespace': async ({ namespaces, namespace }) =>
    namespaces.merge(await namespace(), { status: { conditions: [{ type: 'Judged', status: 'True' }] } }, 'status'),
} satisfies Record<string, Act>;

type ActName = keyof typeof acts;

const leases = {
  apiGroups: ['coordination.k8s.io'],
  apiVersions: ['v1'],
  resources: ['leases'],
  operations: ['CREATE'],
};

const seen = (request: Json): string =>
  `${request?.operation} ${request?.resource?.resource}${request?.subResource ? `/${request.subResource}` : ''}`;

/** Of the many requests of a shared server, those about what the suite has made. */
const ours = {
  failurePolicy: 'Ignore',
  objectSelector: { matchExpressions: [{ key: runLabel, operator: 'Exists' }] },
};

/** With these rules exactly the expected requests are sent when all of the acts are done. */
const matchRule = (id: string, rules: readonly Json[], does: readonly ActName[], expected: readonly string[]): Rule =>
  defineRule(`webhook.rules.${id}`, {
    needs,
    sabotage: [
      ...(expected.length > 0 ? [uncalled] : []),
      misreadHook('sends everything', (hook) => ({
        ...hook,
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] }],
      })),
    ],
    async check(context) {
      const { hooks } = await configure(context, 'validating', [{ over: { rules, ...ours } }]);
      for (const act of does) await acts[act](context);
      context.expect(hooks.flatMap(ownOf).map(seen), does.join(', ')).toEqual(expected);
    },
  });

const operations = (...names: string[]) => [{ ...leases, operations: names }];

export default [
  matchRule(
    'match-any',
    [leases, { ...leases, apiGroups: [''], resources: ['secrets'] }],
    ['create a Secret', 'create a Lease', 'create an Ingress'],
    ['CREATE secrets', 'CREATE leases'],
  ),
  matchRule('no-match', [{ ...leases, operations: ['UPDATE'] }], ['create a Secret', 'create a Lease'], []),

  // An operation is `CREATE`, `UPDATE`, `DELETE`, `CONNECT` or `*`.
  validityRule({
    id: 'webhook.rules.operations.values',
    kind,
    accepted: Object.fromEntries(
      ['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*'].map((name) => [name, hooked({ rules: operations(name) })]),
    ),
    refused: {
      'another word': hooked({ rules: operations('PATCH') }),
      'lower case': hooked({ rules: operations('create') }),
    },
  }),

  // `CREATE`, `UPDATE` and `DELETE` each stand for their own kind of write, PATCH counting as update.
  defineRule('webhook.rules.operations.writes', {
    needs,
    sabotage: [uncalled, misreadHook('sends every operation', (hook) => ({ ...hook, rules: operations('*') }))],
    async check(context) {
      const names = ['CREATE', 'UPDATE', 'DELETE'];
      const { hooks } = await configure(
        context,
        'validating',
        names.map((name) => ({ over: { rules: operations(name) } })),
      );
      const object = await context.leases.create();
      await context.leases.replace({ ...object, metadata: { ...object.metadata, labels: { a: 'b' } } });
      await context.leases.merge(object.metadata.name, { metadata: { labels: { a: 'c' } } });
      await context.leases.remove(object.metadata.name);
      const sent = hooks.map((hook) => ownOf(hook).map((request) => request?.operation));
      context.expect(sent).toEqual([['CREATE'], ['UPDATE', 'UPDATE'], ['DELETE']]);
    },
  }),

  matchRule(
    'operations.any',
    operations('*'),
    ['update a Lease', 'delete a Lease'],
    ['CREATE leases', 'UPDATE leases', 'CREATE leases', 'DELETE leases'],
  ),
  matchRule(
    'api-groups.core',
    [{ ...leases, apiGroups: [''], resources: ['secrets', 'leases'], operations: ['CREATE'] }],
    ['create a Secret', 'create a Lease'],
    ['CREATE secrets'],
  ),
  matchRule(
    'api-groups.any',
    [{ ...leases, apiGroups: ['*'], resources: ['secrets', 'leases'] }],
    ['create a Secret', 'create a Lease', 'create an Ingress'],
    ['CREATE secrets', 'CREATE leases'],
  ),
  matchRule(
    'api-versions',
    [
      { ...leases, apiVersions: ['v1'] },
      { ...leases, apiGroups: [''], apiVersions: ['v9'], resources: ['secrets'] },
    ],
    ['create a Secret', 'create a Lease'],
    ['CREATE leases'],
  ),
  matchRule(
    'api-versions.any',
    [{ ...leases, apiVersions: ['*'] }],
    ['create a Secret', 'create a Lease'],
    ['CREATE leases'],
  ),

  matchRule(
    'resources.any',
    [{ ...leases, apiGroups: ['networking.k8s.io'], resources: ['*'], operations: ['*'] }],
    ['create a Lease', 'update the status of an Ingress'],
    ['CREATE ingresses'],
  ),
  matchRule(
    'resources.any-with-subresources',
    [{ ...leases, apiGroups: ['networking.k8s.io'], resources: ['*/*'], operations: ['*'] }],
    ['create a Lease', 'update the status of an Ingress'],
    ['CREATE ingresses', 'UPDATE ingresses/status'],
  ),
  matchRule(
    'resources.one-subresource',
    [{ ...leases, apiGroups: ['*'], resources: ['*/status', '*/token'], operations: ['*'] }],
    ['create a Lease', 'update the status of an Ingress', 'ask for a token'],
    ['UPDATE ingresses/status', 'CREATE serviceaccounts/token'],
  ),

  // The resource `pods/*` stands for every subresource of pods.
  defineRule('webhook.rules.resources.all-subresources', {
    needs,
    sabotage: uncalled,
    async check(context) {
      const rules = [
        { ...leases, apiGroups: ['networking.k8s.io'], resources: ['ingresses/*'], operations: ['UPDATE'] },
      ];
      const { hooks } = await configure(context, 'validating', [{ over: { rules, ...ours } }]);
      await acts['update the status of an Ingress'](context);
      // A genuine server takes it for the resource itself, too.
      context.expect(hooks.flatMap(ownOf).map(seen)).toEqual(['UPDATE ingresses/status']);
    },
  }),

  // A rule may be for cluster-scoped resources, for namespaced ones, or by `*` for both.
  defineRule('webhook.rules.scope.values', {
    needs,
    sabotage: [
      uncalled,
      misreadHook('heeds no scope', (hook) => ({
        ...hook,
        rules: hook.rules.map((rule: Json) => ({ ...rule, scope: '*' })),
      })),
    ],
    async check(context) {
      const rules = (scope: string) => [
        { ...leases, apiGroups: ['*'], resources: ['leases', 'namespaces'], operations: ['CREATE', 'UPDATE'], scope },
      ];
      const { hooks } = await configure(
        context,
        'validating',
        ['Cluster', 'Namespaced', '*'].map((scope) => ({ over: { rules: rules(scope) } })),
      );
      await acts['create a Lease'](context);
      await acts['update the namespace'](context);
      const sent = hooks.map((hook) => ownOf(hook).map(seen));
      context.expect(sent).toEqual([['UPDATE namespaces'], ['CREATE leases'], ['CREATE leases', 'UPDATE namespaces']]);
    },
  }),

  // Without a scope a rule is for both; other scopes are refused.
  defineRule('webhook.rules.scope.default', {
    needs,
    sabotage: [
      uncalled,
      misreadHook('takes no scope for namespaced', (hook) => ({
        ...hook,
        rules: hook.rules.map((rule: Json) => ({ scope: 'Namespaced', ...rule })),
      })),
      answerStatus(201, { method: 'POST', path: /webhookconfigurations$/, instead: 422 }),
    ],
    async check(context) {
      const { validatingWebhooks, expect } = context;
      const rules = [
        { ...leases, apiGroups: ['*'], resources: ['leases', 'namespaces'], operations: ['CREATE', 'UPDATE'] },
      ];
      const { hooks, name } = await configure(context, 'validating', [{ over: { rules } }]);
      expect((await validatingWebhooks.read(name)).webhooks[0].rules[0].scope, 'as stored').toBe('*');
      await acts['create a Lease'](context);
      await acts['update the namespace'](context);
      expect(hooks.flatMap(ownOf).map(seen)).toEqual(['CREATE leases', 'UPDATE namespaces']);
      for (const scope of ['Galaxy', 'cluster', '']) {
        const sample = validatingWebhooks.sample(await hooked({ rules: [{ ...leases, scope }] })(context));
        const { status } = await validatingWebhooks.post(sample);
        // An empty text is as good as none.
        expect(scope === '' ? [201, 422] : [422], `the scope ${JSON.stringify(scope)}`).toContain(status);
      }
    },
  }),

  // A subresource has the scope of what it belongs to.
  defineRule('webhook.rules.scope.subresource', {
    needs,
    sabotage: [
      uncalled,
      misreadHook('takes subresources for namespaced', (hook) => ({
        ...hook,
        rules: hook.rules.map((rule: Json) => ({ ...rule, scope: 'Namespaced' })),
      })),
    ],
    async check(context) {
      const rules = [
        { ...leases, apiGroups: ['*'], resources: ['*/status'], operations: ['UPDATE'], scope: 'Cluster' },
      ];
      const { hooks } = await configure(context, 'validating', [{ over: { rules, ...ours } }]);
      await acts['update the status of an Ingress'](context);
      await acts['update the status of the namespace'](context);
      context.expect(hooks.flatMap(ownOf).map(seen)).toEqual(['UPDATE namespaces/status']);
    },
  }),

  // `CONNECT` stands for connections such as exec.
  defineRule('webhook.rules.operations.connect', {
    needs: ['webhooks', 'pods'],
    sabotage: uncalled,
    async check(context) {
      const [[request] = []] = await connectionRequests(context, {});
      context.expect(request).toMatchObject({
        operation: 'CONNECT',
        subResource: 'exec',
        object: { kind: 'PodExecOptions', command: ['true'] },
      });
    },
  }),
];

/** A configuration whose one webhook has these members, and matches nothing. */
function hooked(over: Json): (context: RuleContext) => Promise<Json> {
  return async (context) => {
    const [hook] = context[kind].sample().webhooks;
    return { webhooks: [{ ...hook, ...over }] };
  };
}
