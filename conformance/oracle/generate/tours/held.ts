import type { Json } from '../../../verbs/client.ts';
import { ownLabels, type Scenario, type StepHeaders } from '../../play/scenario.ts';
import { beside, Story } from '../story.ts';

const rbac = 'rbac.authorization.k8s.io';
const authorization = '/apis/authorization.k8s.io/v1';
const within = `/apis/${rbac}/v1/namespaces/<own>-1`;
const mark = 'mark';

const rule = (group: string, resources: readonly string[], verbs: readonly string[], more: Json = {}): Json => ({
  ...{ apiGroups: [group], resources, verbs, ...more },
});

/** By which is seen that rights count. */
const marked = rule('', ['configmaps'], ['get'], { resourceNames: [mark] });

/** Of each manner of rule one: by name, below a kind, of all groups, of all kinds, of all verbs, and of paths. */
const narrow: readonly Json[] = [
  marked,
  rule('', ['configmaps'], ['list', 'update', 'delete', 'deletecollection'], { resourceNames: ['one', 'two'] }),
  rule('apps', ['deployments/scale', '*/status'], ['get', 'patch']),
  rule('*', ['secrets'], ['list', 'watch']),
  rule('batch', ['*'], ['create']),
  rule('policy', ['poddisruptionbudgets'], ['*']),
];
const wide: readonly Json[] = [
  marked,
  rule('', ['services', 'nodes'], ['get', 'list']),
  { nonResourceURLs: ['/touchstone/*', '/exactly'], verbs: ['get', 'head'] },
];

/** Somebody by name, by group, and an account; with what each is called by requests and by questions. */
const holders = {
  user: {
    subject: { kind: 'User', apiGroup: rbac, name: '<own>-user' },
    headers: { 'impersonate-user': '<own>-user' },
    asked: { user: '<own>-user' },
  },
  group: {
    subject: { kind: 'Group', apiGroup: rbac, name: '<own>-group' },
    headers: { 'impersonate-user': '<own>-one', 'impersonate-group': ['<own>-other', '<own>-group'] },
    asked: { user: '<own>-one', groups: ['<own>-other', '<own>-group'] },
  },
  account: {
    subject: { kind: 'ServiceAccount', name: 'robot', namespace: '<own>-1' },
    headers: { 'impersonate-user': 'system:serviceaccount:<own>-1:robot' },
    asked: { user: 'system:serviceaccount:<own>-1:robot' },
  },
} as const;

type Holder = (typeof holders)[keyof typeof holders];

function make(story: Story, kind: string, path: string, json: Json): void {
  const apiVersion = `${rbac}/v1`;
  const what = `create ${path.slice(path.lastIndexOf('/') + 1)}`;
  story.add(what, 'POST', path, { body: { json: { apiVersion, kind, ...json } } });
}

/** What is granted in one namespace by a role of its own, there by one of all, and everywhere. */
function grant(story: Story): void {
  const everywhere = { name: '<own>-held', labels: ownLabels };
  const [own, all] = ['Role', 'ClusterRole'].map((kind) => ({ apiGroup: rbac, kind, name: '<own>-held' }));
  const { user, group, account } = holders;
  make(story, 'Role', `${within}/roles`, { metadata: { name: '<own>-held' }, rules: narrow });
  make(story, 'ClusterRole', `/apis/${rbac}/v1/clusterroles`, { metadata: everywhere, rules: wide });
  const bindings = `${within}/rolebindings`;
  make(story, 'RoleBinding', bindings, { metadata: { name: 'one' }, roleRef: own, subjects: [user.subject] });
  make(story, 'RoleBinding', bindings, { metadata: { name: 'two' }, roleRef: all, subjects: [group.subject] });
  make(story, 'ClusterRoleBinding', `/apis/${rbac}/v1/clusterrolebindings`, {
    ...{ metadata: everywhere, roleRef: all, subjects: [account.subject] },
  });
  for (const { headers } of Object.values(holders))
    story.add('await rights', 'GET', `/api/v1/namespaces/<own>-1/configmaps/${mark}`, { headers, awaits: 404 });
}

const resource = (verb: string, group: string, plural: string, more: Json = {}): Json => ({
  resourceAttributes: { verb, group, resource: plural, namespace: '<own>-1', ...more },
});

/** Each right, and what stands beside it. */
const questions: readonly Json[] = [
  resource('list', '', 'configmaps', { name: 'one' }),
  resource('delete', '', 'configmaps', { name: 'two' }),
  resource('deletecollection', '', 'configmaps'),
  resource('update', '', 'configmaps', { name: 'three' }),
  resource('get', 'apps', 'deployments', { subresource: 'scale' }),
  resource('patch', 'apps', 'statefulsets', { subresource: 'status' }),
  resource('get', 'apps', 'deployments'),
  resource('list', 'none.example.com', 'secrets'),
  resource('list', 'none.example.com', 'secrets', { subresource: 'status' }),
  resource('create', 'batch', 'jobs', { subresource: 'status' }),
  resource('delete', 'batch', 'jobs'),
  resource('deletecollection', 'policy', 'poddisruptionbudgets'),
  resource('get', '', 'services', { name: 'some' }),
  resource('list', '', 'services', { namespace: '<own>-2' }),
  resource('list', '', 'services', { namespace: '' }),
  resource('get', '', 'nodes', { namespace: '', name: 'some' }),
  ...['/touchstone/some/more', '/touchstone', '/exactly', '/exactly/more'].map((path) => ({
    nonResourceAttributes: { verb: 'get', path },
  })),
];

/** What there is, what there is not, and what is beside both. */
const places: readonly (readonly [path: string, query?: string])[] = [
  ['/api/v1/namespaces/<own>-1/configmaps', 'fieldSelector=metadata.name%3Done'],
  ['/api/v1/namespaces/<own>-1/configmaps'],
  ['/api/v1/namespaces/<own>-1/services'],
  ['/api/v1/namespaces/<own>-1/services/none'],
  ['/api/v1/namespaces/<own>-2/services'],
  ['/api/v1/nodes/<own>-none'],
  ['/touchstone/some'],
  ['/exactly'],
];

/** What each is told that he may do, and what comes of it. */
function asked(story: Story, { headers, asked: who }: Holder): void {
  const ask = (kind: string, spec: Json, more: StepHeaders = {}): string =>
    story.add(`create ${kind.toLowerCase()}s`, 'POST', `${authorization}/${kind.toLowerCase()}s`, {
      body: { json: { apiVersion: 'authorization.k8s.io/v1', kind, spec } },
      ...{ headers: more, ...beside },
    });
  for (const spec of questions) ask('SubjectAccessReview', { ...who, ...spec });
  for (const namespace of ['<own>-1', '<own>-2']) ask('SelfSubjectRulesReview', { namespace }, headers);
  for (const [path, query] of places)
    story.add('get by rights', 'GET', path, { headers, ...beside, ...(query ? { query } : {}) });
}

/** What is held by somebody through each sort of role, binding and subject. */
export function heldScenario(): Scenario {
  const story = new Story();
  grant(story);
  for (const holder of Object.values(holders)) asked(story, holder);
  return story.scenario('what is held', 'sequences', 2);
}
