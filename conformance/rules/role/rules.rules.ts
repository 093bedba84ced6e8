import { allowEverywhere } from '../../checks/access/permissions.ts';
import { type Attempt, expectRights, may, mayNot } from '../../checks/access/rights.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus, removeIn, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { validityRule } from '../field-rules.ts';

const rbac = 'rbac.authorization.k8s.io';
const authorization = 'authorization.k8s.io';
const kind = 'roles';
const rule = (parts: object) => ({ rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], ...parts }] });

const lists = {
  secrets: (theirs: Parameters<Attempt['by']>[0]) => theirs.secrets.getAll(),
  roles: (theirs: Parameters<Attempt['by']>[0]) => theirs.roles.getAll(),
};
const ofName = (name: string) => ({ fieldSelector: `metadata.name=${name}` });
const brief = { watch: 1, timeoutSeconds: 1 };

/** A watch of the secrets by the path that it had before there was a parameter for it. */
const watchesByPath: Attempt['by'] = async ({ send, secrets }) =>
  send('GET', (await secrets.path()).replace('/v1/', '/v1/watch/'), { query: { timeoutSeconds: 1 } });
const nobody = requestHeader('impersonate-user', 'nobody-at-all', { method: 'GET' });
const administrator = requestHeader('impersonate-user', undefined);

/** A grant gives what it must, and nothing beyond. */
const grantRule = (id: string, rules: readonly object[], attempts: Readonly<Record<string, Attempt>>): Rule =>
  defineRule(`role.rules.${id}`, {
    needs: ['second-user', 'rights'],
    sabotage: [nobody, ...(Object.values(attempts).some(({ allowed }) => !allowed) ? [administrator] : [])],
    async check(context) {
      for (const name of ['any', 'mine', 'yours'])
        for (const objects of [context.secrets, context.ingresses]) await objects.create({ metadata: { name } });
      await expectRights(context, rules, attempts);
    },
  });

export default [
  // A Role may have no rules at all.
  validityRule({
    id: 'role.rules.optional',
    kind,
    accepted: { 'no rules': { rules: undefined }, 'an empty list': { rules: [] }, 'one rule': {} },
  }),

  grantRule('api-groups.core', [{ apiGroups: [''], resources: ['secrets', 'roles'], verbs: ['list'] }], {
    'a resource of the core group': may(lists.secrets),
    'a resource of another group': mayNot(lists.roles),
  }),

  grantRule('api-groups.all', [{ apiGroups: ['*'], resources: ['secrets', 'roles'], verbs: ['list'] }], {
    'a resource of the core group': may(lists.secrets),
    'a resource of another group': may(lists.roles),
    'another resource': mayNot((theirs) => theirs.leases.getAll()),
  }),

  grantRule('api-groups.any-listed', [{ apiGroups: ['', rbac], resources: ['secrets', 'roles'], verbs: ['list'] }], {
    'a resource of the first group': may(lists.secrets),
    'a resource of the second group': may(lists.roles),
    'a resource of a third group': mayNot((theirs) => theirs.leases.getAll()),
  }),

  grantRule(
    'resources.all',
    [
      { apiGroups: [''], resources: ['*'], verbs: ['list'] },
      { apiGroups: ['networking.k8s.io'], resources: ['*/status'], verbs: ['get'] },
      // A star stands for a whole word, and for subresources in front of one alone.
      { apiGroups: [''], resources: ['services/*', 'serv*'], verbs: ['get'] },
      { apiGroups: ['discovery.*'], resources: ['*'], verbs: ['*'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['l*'] },
    ],
    {
      'one resource of the group': may(lists.secrets),
      'another resource of the group': may((theirs) => theirs.services.getAll()),
      'a resource of another group': mayNot(lists.roles),
      'the status of any resource': may((theirs) => theirs.ingresses.get('mine', '', { sub: 'status' })),
      'the resource whose status it is': mayNot((theirs) => theirs.ingresses.get('mine')),
      'a status, by a star behind its resource': mayNot((theirs) => theirs.services.get('any', '', { sub: 'status' })),
      'a resource, by a part of its name': mayNot((theirs) => theirs.services.get('any')),
      'a group, by a part of its name': mayNot((theirs) => theirs.endpointSlices.getAll()),
      'a verb, by a part of it': mayNot((theirs) => theirs.leases.getAll()),
    },
  ),

  grantRule(
    'verbs.apply-to-all-kinds',
    [{ apiGroups: [''], resources: ['secrets', 'services'], verbs: ['list', 'deletecollection'] }],
    {
      'the first verb on the first resource': may(lists.secrets),
      'the first verb on the second resource': may((theirs) => theirs.services.getAll()),
      'the second verb on the first resource': may((theirs) => theirs.secrets.deleteAll()),
      get: mayNot((theirs) => theirs.secrets.get('any')),
      watch: mayNot((theirs) => theirs.secrets.getAll(brief)),
      'watch, by its older path': mayNot(watchesByPath),
      delete: mayNot((theirs) => theirs.secrets.delete('any')),
      create: mayNot((theirs) => theirs.secrets.post(theirs.secrets.sample())),
    },
  ),

  grantRule('verbs.all', [{ apiGroups: [''], resources: ['secrets'], verbs: ['*'] }], {
    list: may(lists.secrets),
    watch: may((theirs) => theirs.secrets.getAll(brief)),
    get: may((theirs) => theirs.secrets.get('any')),
    create: may((theirs) => theirs.secrets.post(theirs.secrets.sample())),
    update: may((theirs) => theirs.secrets.put(theirs.secrets.sample({ metadata: { name: 'mine' } }))),
    patch: may((theirs) => theirs.secrets.patch('mine', {})),
    delete: may((theirs) => theirs.secrets.delete('any')),
    deletecollection: may((theirs) => theirs.secrets.deleteAll()),
    'another resource': mayNot((theirs) => theirs.services.getAll()),
  }),

  grantRule(
    'resource-names.allow-list',
    [
      {
        ...{ apiGroups: [''], resources: ['secrets'], resourceNames: ['mine', 'any'] },
        verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete', 'deletecollection'],
      },
      { apiGroups: ['networking.k8s.io'], resources: ['ingresses/status'], verbs: ['get'], resourceNames: ['mine'] },
      // Names have no stars.
      { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['*', 'you*'] },
    ],
    {
      'a name that is listed': may((theirs) => theirs.secrets.get('mine')),
      'the second name that is listed': may((theirs) => theirs.secrets.get('any')),
      'another name': mayNot((theirs) => theirs.secrets.get('yours')),
      'a patch of a name that is listed': may((theirs) => theirs.secrets.patch('mine', {})),
      'a patch of another name': mayNot((theirs) => theirs.secrets.patch('yours', {})),
      'a list of a name that is listed': may((theirs) => theirs.secrets.getAll(ofName('mine'))),
      'a list of it, as a field selector may say it as well': may((theirs) =>
        theirs.secrets.getAll({ fieldSelector: 'metadata.name==mine' }),
      ),
      'a list of another name': mayNot((theirs) => theirs.secrets.getAll(ofName('yours'))),
      'a list of all names': mayNot(lists.secrets),
      'a list of all names but one': mayNot((theirs) =>
        theirs.secrets.getAll({ fieldSelector: 'metadata.name!=mine' }),
      ),
      'a watch of a name that is listed': may((theirs) => theirs.secrets.getAll({ ...ofName('mine'), ...brief })),
      'a watch of another name': mayNot((theirs) => theirs.secrets.getAll({ ...ofName('yours'), ...brief })),
      'a delete of another name': mayNot((theirs) => theirs.secrets.delete('yours')),
      'a delete of all names': mayNot((theirs) => theirs.secrets.deleteAll()),
      'a delete of all that have a name that is listed': mayNot((theirs) =>
        theirs.secrets.deleteAll({ query: ofName('mine') }),
      ),
      'a create, whose name is not known yet': mayNot((theirs) => theirs.secrets.post(theirs.secrets.sample())),
      'the status of a name that is listed': may((theirs) => theirs.ingresses.get('mine', '', { sub: 'status' })),
      'the status of another name': mayNot((theirs) => theirs.ingresses.get('yours', '', { sub: 'status' })),
      'a delete of a name that is listed': may((theirs) => theirs.secrets.delete('mine')),
    },
  ),

  grantRule(
    'resource-names.empty',
    [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'update'], resourceNames: [] }],
    {
      'any name': may((theirs) => theirs.secrets.get('mine')),
      'any other name': may((theirs) => theirs.secrets.get('yours')),
      list: mayNot(lists.secrets),
      patch: mayNot((theirs) => theirs.secrets.patch('mine', {})),
      delete: mayNot((theirs) => theirs.secrets.delete('mine')),
      deletecollection: mayNot((theirs) => theirs.secrets.deleteAll()),
    },
  ),

  ...(['apiGroups', 'resources'] as const).map((member) =>
    defineRule(`role.rules.${member === 'apiGroups' ? 'api-groups' : 'resources'}.optional`, {
      sabotage: [
        answerStatus(500, { method: 'POST', path: /\/clusterroles$/ }),
        replaceIn(`rules.*.${member}`, { method: 'POST', path: /\/clusterroles$/, with: ['*'] }),
        replaceIn('rules.*.nonResourceURLs', { method: 'POST', path: /\/clusterroles$/ }),
      ],
      async check({ clusterRoles, expect }) {
        // Left out where it has no meaning: beside non-resource URLs. A rule on resources needs it on genuine servers.
        const rules = [{ nonResourceURLs: ['/touchstone'], verbs: ['get'] }];
        const { status, body } = await clusterRoles.post(clusterRoles.sample({ rules }));
        expect(status).toBe(201);
        expect(body.rules[0]).not.toHaveProperty(member);
        expect(body.rules).toEqual(rules);
      },
    }),
  ),

  // A rule must have verbs.
  validityRule({
    id: 'role.rules.verbs.required',
    kind,
    accepted: { 'with a verb': rule({}) },
    refused: { 'without verbs': rule({ verbs: undefined }), 'with no verb': rule({ verbs: [] }) },
  }),

  // A rule is for resources or for URLs, never for both.
  validityRule({
    id: 'role.rules.either-or',
    kind: 'clusterRoles',
    accepted: {
      resources: rule({}),
      'non-resource URLs': { rules: [{ nonResourceURLs: ['/touchstone'], verbs: ['get'] }] },
    },
    refused: { both: rule({ nonResourceURLs: ['/touchstone'] }) },
  }),

  // `nonResourceURLs` are matched as paths, and may be parts of them.
  defineRule('role.rules.non-resource-urls.partial', {
    needs: ['second-user', 'rights'],
    sabotage: [
      requestHeader('impersonate-user', undefined),
      requestHeader('impersonate-user', 'nobody-at-all', { path: /^\/touchstone\// }),
      removeIn('status.nonResourceRules', { method: 'POST', path: /\/selfsubjectrulesreviews$/ }),
    ],
    async check(context) {
      const { as, unique, waitUntil, expect } = context;
      const name = unique('user');
      const urls = ['/touchstone/one', '/touchstone/more/*', '/touchstone/2', '/touch/*'];
      await allowEverywhere(context, name, [{ nonResourceURLs: urls, verbs: ['get'] }]);
      const status = async (path: string) => (await as({ name }).send('GET', path)).status;
      const mayReach = (what: string, path: string) =>
        waitUntil(
          `${what} is reached`,
          () => status(path),
          (code) => code === 404,
        );
      await mayReach('a path', '/touchstone/one');
      await mayReach('what is below a path with a star', '/touchstone/more/of/them');
      await mayReach('a second path', '/touchstone/2');
      await mayReach('what is below a second path with a star', '/touch/stone');
      expect(await status('/touchstone/one/deeper'), 'below a path without a star').toBe(403);
      expect(await status('/touchstone/two'), 'another path').toBe(403);
      expect((await as({ name }).send('POST', '/touchstone/one', { body: {} })).status, 'another verb').toBe(403);
      expect((await as({ name }).send('HEAD', '/touchstone/one')).status, 'a verb beside it').toBe(403);
      const body = {
        apiVersion: `${authorization}/v1`,
        kind: 'SelfSubjectRulesReview',
        spec: { namespace: 'default' },
      };
      const rule = { verbs: ['get'], nonResourceURLs: urls };
      const tell = async () => {
        const told = await as({ name }).send('POST', `/apis/${authorization}/v1/selfsubjectrulesreviews`, { body });
        return told.body?.status?.nonResourceRules ?? [];
      };
      const paths = (rules: Json[]): string[] => rules.flatMap(({ nonResourceURLs }) => nonResourceURLs ?? []);
      const told = await waitUntil('the user is told of the paths', tell, (rules) => paths(rules).includes('/touch/*'));
      expect(told, 'as the user is told').toContainEqual(rule);
    },
  }),

  // In them `*` stands for the rest only as the last step.
  defineRule('role.rules.non-resource-urls.star', {
    needs: ['second-user', 'rights'],
    sabotage: requestHeader('impersonate-user', undefined),
    async check(context) {
      const { as, unique, waitUntil, expect } = context;
      const name = unique('user');
      await allowEverywhere(context, name, [{ nonResourceURLs: ['/touchstone/*', '/touch/*/stone'], verbs: ['get'] }]);
      const status = async (path: string) => (await as({ name }).send('GET', path)).status;
      await waitUntil(
        'the right is in effect',
        () => status('/touchstone/any/thing'),
        (code) => code === 404,
      );
      expect(await status('/touch/any/stone'), 'a star in the middle').toBe(403);
      expect(await status('/touchstones'), 'no whole step').toBe(403);
      expect(await status('/touchstone'), 'what stands before the star').toBe(403);
    },
  }),

  // They count only in cluster roles bound for the whole cluster.
  defineRule('role.rules.non-resource-urls.cluster-only', {
    needs: ['second-user', 'rights'],
    sabotage: requestHeader('impersonate-user', undefined),
    async check(context) {
      const { roles, clusterRoles, roleBindings, secrets, as, unique, waitUntil, expect } = context;
      const name = unique('user');
      const urls = { nonResourceURLs: ['/touchstone/only'], verbs: ['get'] };
      expect([400, 422], 'in a Role').toContain((await roles.post(roles.sample({ rules: [urls] }))).status);
      const role = await clusterRoles.create({
        rules: [urls, { apiGroups: [''], resources: ['secrets'], verbs: ['list'] }],
      });
      const subjects = [{ kind: 'User', apiGroup: rbac, name }];
      await roleBindings.create({ subjects, roleRef: { kind: 'ClusterRole', name: role.metadata.name } });
      await waitUntil(
        'the right in the namespace is in effect',
        async () => (await as({ name }).secrets.getAll()).status,
        (code) => code === 200,
      );
      expect((await as({ name }).send('GET', '/touchstone/only')).status, 'bound in a namespace').toBe(403);
      expect((await secrets.getAll()).status).toBe(200);
    },
  }),
];
