import type { Json } from '../../../verbs/client.ts';
import { mergePatchHeaders } from '../../../verbs/patch-types.ts';
import { ownLabels } from '../../play/scenario.ts';
import { nameOf, objectOf } from '../../samples/objects.ts';
import type { KindStory, StepParts } from '../story.ts';

const api = 'rbac.authorization.k8s.io/v1';
const user = '<own>-user';
const as = { 'impersonate-user': user } as const;

/** What somebody is allowed one by one, and what of it they can do. */
export function rights(at: KindStory): void {
  const { group, resource, namespaced } = at.kind;
  const subs = at.kind.subresources
    .filter(({ verbs }) => verbs.includes('get') && verbs.includes('update'))
    .map(({ name }) => name);
  const first = at.create(objectOf(at.kind, 'a'));
  at.create(objectOf(at.kind, 'b'));
  const tryAll = (): void => everything(at, subs, first);
  tryAll();
  const rule = (verbs: string[], more: Json = {}): Json => ({
    // What counts is not always told first.
    apiGroups: ['none.example.com', group],
    resources: ['nothing', resource],
    verbs,
    ...more,
  });
  grant(at, [rule(['get', 'list'])]);
  tryAll();
  for (const sub of subs.slice(0, 1))
    regrant(at, [rule(['get', 'patch', 'update'], { apiGroups: ['*'], resources: [`*/${sub}`] })], tryAll);
  for (const sub of subs)
    regrant(at, [rule(['get', 'patch', 'update'], { resources: [`${resource}/${sub}`] })], tryAll);
  regrant(at, [rule(['get', 'patch', 'delete'], { resourceNames: ['nobody', nameOf(at.kind, 'a')] })], tryAll);
  regrant(at, [rule(['create', 'update', 'watch', 'deletecollection'])], tryAll);
  regrant(at, [rule(['update', 'patch'])], tryAll);
  regrant(at, [rule(['*'], { apiGroups: ['none.example.com'] })], tryAll);
  regrant(at, [rule(['*'], { resources: ['*'] })], tryAll);
  if (namespaced) at.list({ headers: as }, 2);
  reviews(at);
  unbound(at);
}

const label = { metadata: { labels: { by: 'user' } } };

/** @param first the step that is answered the object `a` */
function everything(at: KindStory, subs: readonly string[], first: string): void {
  const parts: StepParts = { headers: as, alongside: true };
  const dry: StepParts = { ...parts, query: { dryRun: 'All' } };
  at.get('a', parts);
  at.get('b', parts);
  at.watch({ headers: as, query: { resourceVersion: '0' } }, 1);
  at.list(parts, 1);
  at.list({ ...parts, query: { fieldSelector: `metadata.name=${nameOf(at.kind, 'a')}` } }, 1);
  at.create(objectOf(at.kind, 'c'), dry);
  at.put('a', { answerOf: first, merge: label }, dry);
  at.patch('a', 'merge', label, dry);
  at.patch(
    'b',
    'apply',
    { ...objectOf(at.kind, 'b') },
    { ...dry, query: { dryRun: 'All', fieldManager: 'alice', force: 'true' } },
  );
  at.put('z', { json: objectOf(at.kind, 'z') }, dry);
  at.patch('z', 'apply', objectOf(at.kind, 'z'), { ...dry, query: { dryRun: 'All', fieldManager: 'alice' } });
  deletions(at, subs, parts, dry);
  for (const more of [{}, { name: nameOf(at.kind, 'a') }, ...subs.map((subresource) => ({ subresource }))])
    questions(at, { verb: 'get', group: at.kind.group, resource: at.kind.resource, namespace: '<own>-1', ...more });
}

/** What somebody is told of a right is what comes of it, whoever asks. */
function questions(at: KindStory, resourceAttributes: Json): void {
  const ask = askingBy(at);
  ask('SubjectAccessReview', `${base}/subjectaccessreviews`, { user, resourceAttributes });
  ask('SelfSubjectAccessReview', `${base}/selfsubjectaccessreviews`, { resourceAttributes }, as);
}

const base = '/apis/authorization.k8s.io/v1';

type Ask = (kind: string, path: string, spec: Json, headers?: Readonly<Record<string, string>>) => string;

const askingBy =
  ({ story }: KindStory): Ask =>
  (kind, path, spec, headers = {}) =>
    story.add(`create ${kind.toLowerCase()}s`, 'POST', path, {
      body: { json: { apiVersion: 'authorization.k8s.io/v1', kind, spec } },
      headers,
      alongside: true,
    });

function deletions(at: KindStory, subs: readonly string[], parts: StepParts, dry: StepParts): void {
  at.delete('a', dry);
  at.delete('b', dry);
  at.deleteAll({ ...dry, query: { dryRun: 'All', labelSelector: 'app=<own>' } });
  for (const sub of subs) {
    at.get('a', parts, sub);
    at.patch('a', 'merge', label, dry, sub);
  }
}

const rolePath = (at: KindStory, kind: string): string =>
  at.kind.namespaced ? `/apis/${api}/namespaces/<own>-1/${kind}` : `/apis/${api}/cluster${kind}`;

const roleName = (at: KindStory): string => (at.kind.namespaced ? 'some' : '<own>-some');

/** A right beside the others, on what there is not: by it is seen that they count. */
const marked = (rules: Json, word: string): Json => [
  { apiGroups: ['none.example.com'], resources: ['*'], verbs: ['*'] },
  ...rules,
  { apiGroups: [''], resources: ['configmaps'], resourceNames: [word], verbs: ['get'] },
];

function awaitRights(at: KindStory, word: string): void {
  const within = at.kind.namespaced ? '/namespaces/<own>-1' : '/namespaces/<own>-2';
  at.story.add('await rights', 'GET', `/api/v1${within}/configmaps/${word}`, { headers: as, awaits: 404 });
}

function grant(at: KindStory, rules: Json): void {
  const word = `w${at.story.length}`;
  const [role, binding] = at.kind.namespaced ? ['Role', 'RoleBinding'] : ['ClusterRole', 'ClusterRoleBinding'];
  const metadata = { name: roleName(at), labels: ownLabels };
  at.story.add('create a role', 'POST', rolePath(at, 'roles'), {
    body: { json: { apiVersion: api, kind: role, metadata, rules: marked(rules, word) } },
  });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: role, name: roleName(at) };
  const subjects = ['<own>-other', user].map((name) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }));
  at.story.add('create a binding', 'POST', rolePath(at, 'rolebindings'), {
    body: { json: { apiVersion: api, kind: binding, metadata, roleRef, subjects } },
  });
  awaitRights(at, word);
}

function regrant(at: KindStory, rules: Json, then: () => void): void {
  const word = `w${at.story.length}`;
  at.story.add('update a role', 'PATCH', `${rolePath(at, 'roles')}/${roleName(at)}`, {
    body: { json: { rules: marked(rules, word) } },
    headers: mergePatchHeaders,
  });
  awaitRights(at, word);
  then();
}

/** Who is taken out of a binding has lost what it gave. */
function unbound(at: KindStory): void {
  at.story.add('update a binding', 'PATCH', `${rolePath(at, 'rolebindings')}/${roleName(at)}`, {
    body: { json: { subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: '<own>-other' }] } },
    headers: mergePatchHeaders,
  });
  at.story.add('await no rights', 'GET', at.item('a'), { headers: as, awaits: 403 });
  at.get('b', { headers: as });
}

/** The same questions, asked of who decides. */
function reviews(at: KindStory): void {
  const { group, resource } = at.kind;
  for (const verb of ['get', 'create', 'escalate', '*'])
    for (const more of [{}, { name: 'a' }, { subresource: 'status' }, { namespace: '<own>-2' }]) {
      questions(at, { verb, group, resource, namespace: '<own>-1', ...more });
    }
  oddReviews(resource, askingBy(at));
}

function oddReviews(resource: string, ask: Ask): void {
  ask('SubjectAccessReview', `${base}/subjectaccessreviews`, {
    user,
    nonResourceAttributes: { path: '/healthz', verb: 'get' },
  });
  ask('SubjectAccessReview', `${base}/subjectaccessreviews`, { user });
  ask('SubjectAccessReview', `${base}/subjectaccessreviews`, {
    groups: ['system:masters'],
    resourceAttributes: { verb: 'get', resource },
  });
  const local = '/apis/authorization.k8s.io/v1/namespaces/<own>-1/localsubjectaccessreviews';
  for (const namespace of ['<own>-1', '<own>-2', ''])
    ask('LocalSubjectAccessReview', local, { user, resourceAttributes: { verb: 'get', resource, namespace } });
  ask('SelfSubjectRulesReview', `${base}/selfsubjectrulesreviews`, { namespace: '<own>-1' }, as);
}
