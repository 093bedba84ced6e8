import { connectionRequests } from '../../checks/webhooks/connections.ts';
import { type ActName, acts } from '../../checks/webhooks/webhook-acts.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus } from '../../sabotage/transforms.ts';
import { misreadHook, uncalled } from '../../sabotage/webhooks.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { leasedType } from '../../verbs/custom-types.ts';
import { runLabel } from '../../verbs/guest/permit.ts';
import { configure, remembered, requestsOf } from '../../verbs/webhooks.ts';
import { validityRule } from '../field-rules.ts';

/** What a hook has heard, without cluster-scoped objects of others: no selector keeps those away. */
const ownOf = (hook: Parameters<typeof requestsOf>[0]): Json[] =>
  requestsOf(hook).filter(({ namespace, resource }) => namespace || resource?.resource === 'namespaces');

const needs = ['webhooks'] as const;
const kind = 'validatingWebhooks';

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

const everything = misreadHook('sends everything', (hook) => ({
  ...hook,
  rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] }],
}));

/** With these rules exactly the expected requests are sent when all of the acts are done. */
const matchRule = (id: string, rules: readonly Json[], does: readonly ActName[], expected: readonly string[]): Rule =>
  defineRule(`webhook.rules.${id}`, {
    needs,
    sabotage: [...(expected.length > 0 ? [uncalled] : []), everything],
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
      const { leases } = context;
      const object = await leases.create();
      const replaced = await leases.replace({ ...object, metadata: { ...object.metadata, labels: { a: 'b' } } });
      await remembered(leases, replaced);
      const labels = { a: 'c' };
      await remembered(leases, await leases.merge(object.metadata.name, { metadata: { labels } }));
      await leases.remove(object.metadata.name);
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

  // The group `*` stands for every group.
  defineRule('webhook.rules.api-groups.any', {
    needs,
    sabotage: [uncalled, everything],
    async check(context) {
      const types = context.capabilities.includes('crd') ? [await leasedType(context, 'Namespaced')] : [];
      const resources = ['secrets', 'leases', ...types.map(({ at }) => at.resource)];
      const rules = [{ ...leases, apiGroups: ['*'], resources }];
      const { hooks } = await configure(context, 'validating', [{ over: { rules, ...ours } }]);
      for (const objects of [context.secrets, context.leases, context.ingresses, ...types]) await objects.create();
      context.expect(hooks.flatMap(ownOf).map(seen)).toEqual(resources.map((resource) => `CREATE ${resource}`));
    },
  }),

  matchRule(
    'api-versions',
    [
      { ...leases, apiVersions: ['v9', 'v1'] },
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
    [{ ...leases, apiGroups: ['*'], resources: ['*/status', '*/token', '*/finalize'], operations: ['*'] }],
    ['create a Lease', 'update the status of an Ingress', 'ask for a token', 'finalize the namespace'],
    ['UPDATE ingresses/status', 'CREATE serviceaccounts/token', 'UPDATE namespaces/finalize'],
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
      // So does the star for every operation.
      const any = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods/exec'], operations: ['*'] }];
      for (const [request] of await connectionRequests(context, {}, { rules: any }))
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
