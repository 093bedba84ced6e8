import type { Json } from '../../../verbs/client.ts';
import { mergePatchHeaders, patchTypes } from '../../../verbs/patch-types.ts';
import type { OracleKind } from '../../oracle-kind.ts';
import { ownLabels, type Scenario, type StepHeaders } from '../../play/scenario.ts';
import { objectOf } from '../../samples/objects.ts';
import { dry, type StepParts, Story } from '../story.ts';

const rbac = 'rbac.authorization.k8s.io';
const [roles, clusterRoles] = [`/apis/${rbac}/v1/namespaces/<own>-1/roles`, `/apis/${rbac}/v1/clusterroles`];
const bindings = `/apis/${rbac}/v1/namespaces/<own>-1/rolebindings`;
const accounts = '/api/v1/namespaces/<own>-1/serviceaccounts';
const requests: OracleKind = {
  ...{ group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests', namespaced: false },
  ...{ kind: 'CertificateSigningRequest', verbs: [], subresources: [] },
};

const rule = (
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
  resourceNames?: readonly string[],
): Json => ({
  // What counts is not always told first.
  ...{ apiGroups: ['none.example.com', group], resources: ['nothing', ...resources], verbs },
  ...(resourceNames ? { resourceNames } : {}),
});

/** Somebody with a token of his own who is granted one right after the other. */
class Agent {
  readonly story = new Story();
  readonly #token: string;

  constructor() {
    this.#send('create serviceaccounts', accounts, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'agent' },
    });
    this.#token = this.#send('create serviceaccounts/token', `${accounts}/agent/token`, {
      ...{ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    });
    const metadata = { name: '<own>-agent', labels: ownLabels };
    this.#send('create clusterroles', clusterRoles, { ...wideRoleOf({ rules: [] }), metadata });
    this.#send('create clusterrolebindings', `/apis/${rbac}/v1/clusterrolebindings`, {
      ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: '<own>-agent' },
      subjects: [{ kind: 'ServiceAccount', name: 'agent', namespace: '<own>-1' }],
    });
  }

  #send(what: string, path: string, json: Json, parts: StepParts = {}): string {
    return this.story.add(what, 'POST', path, { body: { json }, ...parts });
  }

  /** From now on these rights and no others, as a path shows that there is not: who may ask for it is told so. */
  grant(...rules: readonly Json[]): void {
    const path = `/touchstone/${this.story.length}`;
    this.story.add('grant rights', 'PATCH', `${clusterRoles}/<own>-agent`, {
      body: { json: { rules: [...rules, { nonResourceURLs: [path], verbs: ['get'] }] } },
      headers: mergePatchHeaders,
    });
    this.story.add('await rights', 'GET', path, { ...this.#self, awaits: 404 });
  }

  /** In the first namespace alone, beside the others. */
  grantHere(...rules: readonly Json[]): void {
    this.#send('create roles', roles, roleOf('here', rules));
    this.#send('create rolebindings', bindings, {
      ...bindingTo('Role', 'here'),
      subjects: [{ kind: 'ServiceAccount', name: 'agent', namespace: '<own>-1' }],
    });
  }

  get #self(): StepParts {
    return { anonymous: true, headers: { authorization: `Bearer <${this.#token}:status.token>` } };
  }

  make(what: string, path: string, json: Json, headers: StepHeaders = {}): string {
    const { headers: own, ...parts } = this.#self;
    return this.#send(`${what} by an agent`, path, json, {
      ...parts,
      ...dry,
      headers: { ...own, ...headers },
      alongside: true,
    });
  }

  patch(what: string, path: string, json: Json): string {
    const { headers: own, ...parts } = this.#self;
    const headers = { ...own, 'content-type': patchTypes.merge };
    return this.story.add(`${what} by an agent`, 'PATCH', path, {
      body: { json },
      ...parts,
      ...dry,
      headers,
      alongside: true,
    });
  }
}

const roleOf = (name: string, rules: readonly Json[]): Json => ({
  ...{ apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name }, rules },
});

const wideRoleOf = (more: Json): Json => ({
  ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: '<own>-some', labels: ownLabels } },
  ...more,
});

/** Gives the rules of roles that are not known yet. */
const gathers: Json = { clusterRoleSelectors: [{ matchLabels: { '<own>': 'some' } }] };

const bindingTo = (kind: string, name: string): Json => ({
  ...{ apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: { name: 'some' } },
  roleRef: { apiGroup: rbac, kind, name },
  subjects: [{ kind: 'User', apiGroup: rbac, name: 'somebody' }],
});

const owner = { apiVersion: 'v1', kind: 'Secret', name: 'none', uid: '00000000-1111-2222-3333-444444444444' };

/** Nobody gives what he has not, unless he may do just that. */
function giving(at: Agent): void {
  const [all, writes] = [
    ['create', 'update', 'patch', 'bind'],
    ['create', 'update', 'patch'],
  ];
  at.story.add('create roles', 'POST', roles, { body: { json: roleOf('kept', [rule('', ['secrets'], ['get'])]) } });
  at.story.add('create roles', 'POST', roles, { body: { json: roleOf('held', [rule('', ['configmaps'], ['get'])]) } });
  const gathering = {
    ...wideRoleOf({ aggregationRule: gathers }),
    metadata: { name: '<own>-gathers', labels: ownLabels },
  };
  at.story.add('create clusterroles', 'POST', clusterRoles, { body: { json: gathering } });
  const may = [rule('', ['configmaps'], ['get', 'list']), rule('', ['pods'], ['get'], ['one', 'two'])];
  for (const more of [
    rule(rbac, ['roles', 'rolebindings'], writes),
    rule(rbac, ['*'], ['*'], ['kept']),
    rule(rbac, ['roles', 'clusterroles', 'rolebindings'], [...writes, 'escalate']),
    rule(rbac, ['roles', 'clusterroles', 'rolebindings'], all),
    rule('*', ['*'], ['*']),
  ]) {
    at.grant(...may, more);
    tried(at);
  }
}

function tried(at: Agent): void {
  for (const given of [
    [rule('', ['configmaps'], ['get'])],
    [rule('', ['configmaps'], ['get']), rule('', ['configmaps'], ['list'], ['some'])],
    [rule('', ['configmaps'], ['get', 'create'])],
    [rule('', ['configmaps/status'], ['get'])],
    [rule('', ['pods'], ['get'], ['one'])],
    [rule('', ['pods'], ['get'], ['one', 'three'])],
    [rule('', ['pods'], ['get'])],
    [rule('', ['*'], ['get'])],
    [rule('apps', ['configmaps'], ['get'])],
    [],
  ])
    at.make('create roles', roles, roleOf('some', given));
  at.patch('patch roles', `${roles}/held`, {
    rules: [rule('', ['configmaps'], ['get']), rule('', ['secrets'], ['get'])],
  });
  at.patch('patch roles', `${roles}/kept`, { metadata: { labels: { by: 'agent' } } });
  // What only says when it goes grants nothing.
  for (const metadata of [
    { finalizers: ['touchstone.example/hold'] },
    { ownerReferences: [owner] },
    { finalizers: [] },
  ])
    at.patch('patch roles', `${roles}/kept`, { metadata });
  at.make('create roles', roles, { ...roleOf('some', []), aggregationRule: {} });
  for (const more of [{}, { aggregationRule: gathers }]) at.make('create clusterroles', clusterRoles, wideRoleOf(more));
  at.patch('patch clusterroles', `${clusterRoles}/<own>-agent`, { aggregationRule: gathers });
  // To give up what gathers is to give what was gathered.
  for (const json of [{ aggregationRule: null }, { metadata: { labels: { by: 'agent' } } }, { rules: [] }])
    at.patch('patch clusterroles', `${clusterRoles}/<own>-gathers`, json);
  for (const name of ['held', 'kept', 'none']) at.make('create rolebindings', bindings, bindingTo('Role', name));
  for (const name of ['<own>-agent', 'cluster-admin'])
    at.make('create rolebindings', bindings, bindingTo('ClusterRole', name));
}

const rules = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: '<own>-1' } };
const alice = { 'impersonate-user': '<own>-alice' };
const others: readonly StepHeaders[] = [
  alice,
  { 'impersonate-user': '<own>-bob' },
  { ...alice, 'impersonate-group': '<own>-some' },
  { ...alice, 'impersonate-group': '<own>-others' },
  { ...alice, 'impersonate-uid': 'one' },
  { ...alice, 'impersonate-uid': 'two' },
  { ...alice, 'impersonate-extra-scopes': 'read' },
  { ...alice, 'impersonate-extra-scopes': 'write' },
  { ...alice, 'impersonate-extra-scopes': ['read', 'write'] },
  { ...alice, 'impersonate-group': ['<own>-some', '<own>-others'] },
  { ...alice, 'impersonate-extra-reasons': 'read' },
  { ...alice, 'impersonate-extra-acme.example%2fproject': 'some' },
  { 'impersonate-user': 'system:serviceaccount:<own>-1:robot' },
  { 'impersonate-user': 'system:serviceaccount:<own>-2:robot' },
  { 'impersonate-user': 'system:serviceaccount:<own>-1:helper' },
  { 'impersonate-user': 'system:serviceaccount:<own>-2:helper' },
];

/** Who acts as another needs the right to, for each part of who that is. */
function acting(at: Agent): void {
  const grants: readonly Json[] = [
    rule('', ['users'], ['impersonate'], ['<own>-alice']),
    rule('', ['groups'], ['impersonate'], ['<own>-some']),
    rule('authentication.k8s.io', ['uids'], ['impersonate'], ['one']),
    rule('authentication.k8s.io', ['userextras/scopes'], ['impersonate'], ['read']),
    rule('authentication.k8s.io', ['userextras/acme.example/project'], ['impersonate']),
    rule('', ['serviceaccounts'], ['impersonate'], ['robot']),
    rule('', ['users', 'groups'], ['get', 'update']),
  ];
  at.grantHere(rule('', ['serviceaccounts'], ['impersonate'], ['helper']));
  for (const count of grants.keys()) {
    at.grant(...grants.slice(0, count + 1));
    for (const headers of others)
      at.make('act', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', rules, headers);
  }
  at.grant(rule('', ['users'], ['impersonate']), rule('authentication.k8s.io', ['*'], ['*']));
  for (const headers of others) at.make('act', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', rules, headers);
}

/** Who answers a request needs a right on its signer beside that on the request. */
function signing(at: Agent): void {
  const path = `/apis/${requests.group}/v1/${requests.resource}`;
  at.story.add('create a request', 'POST', path, { body: { json: objectOf(requests, 'a') } });
  const time = '2024-05-06T07:08:09Z';
  const said = (type: string): Json => ({
    status: { conditions: [{ type, status: 'True', reason: 'Tried', lastUpdateTime: time, lastTransitionTime: time }] },
  });
  const doors = rule(
    requests.group,
    ['approval', 'status'].map((door) => `${requests.resource}/${door}`),
    ['patch', 'update'],
  );
  for (const [verbs, signer] of [
    [['get'], '*'],
    [['approve'], 'example.com/touchstone'],
    [['approve'], 'example.com/*'],
    [['approve'], 'example.com/other'],
    [['sign'], 'example.com/touchstone'],
    [['sign', 'approve'], 'other.example/*'],
    [['*'], 'example.com/*'],
  ] as const) {
    at.grant(doors, rule(requests.group, ['signers'], verbs, [signer]));
    for (const type of ['Approved', 'Denied']) at.patch(`say ${type}`, `${path}/<own>-a/approval`, said(type));
    at.patch('say Failed', `${path}/<own>-a/status`, said('Failed'));
    at.patch('change a request', `${path}/<own>-a`, { metadata: { labels: { by: 'agent' } } });
  }
}

const told = (tales: Readonly<Record<string, (at: Agent) => void>>): readonly Scenario[] =>
  Object.entries(tales).map(([name, tell]) => {
    const at = new Agent();
    tell(at);
    return at.story.scenario(name, 'sequences', 2);
  });

/** What somebody may do beside reading and writing, by the kind that it is about. */
export const trustScenarios = {
  /** Give rights and act as others. */
  Role: told({ 'giving rights': giving, 'acting as others': acting }),
  CertificateSigningRequest: told({ 'answering requests': signing }),
} as const;
