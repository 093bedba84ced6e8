import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { authorization, path } from '../unfit/reviews.ts';
import { allowEverywhere, bind } from './permissions.ts';

async function isReviewed(send: RuleContext['send'], spec: Json, at = '/subjectaccessreviews'): Promise<boolean> {
  const kind = kindsOfReviews.find((each) => at.endsWith(`/${each.toLowerCase()}s`));
  const body = { apiVersion: 'authorization.k8s.io/v1', kind, spec };
  return (await send('POST', `${authorization}${at}`, { body })).body?.status?.allowed;
}

const kindsOfReviews = ['SubjectAccessReview', 'LocalSubjectAccessReview', 'SelfSubjectAccessReview'];

/** The other reviews tell the same: within a namespace, and of one's own rights. */
async function tellsRightsOtherwise(
  { as, send, namespace, expect }: RuleContext,
  { user, group }: { readonly user: string; readonly group: string },
): Promise<void> {
  const place = await namespace();
  const theirs = as({ name: user, groups: [group] }).send;
  for (const [what, subresource, allowed] of [
    ['the right to a subresource', 'status', true],
    ['a right to the resource itself', '', false],
  ] as const) {
    const resourceAttributes = { namespace: place, ...status, subresource };
    const local = { groups: [group], resourceAttributes };
    const here = await isReviewed(send, local, `/namespaces/${place}/localsubjectaccessreviews`);
    expect(here, `${what}, of a group here`).toBe(allowed);
    const own = await isReviewed(theirs, { resourceAttributes }, '/selfsubjectaccessreviews');
    expect(own, `${what}, of one's own`).toBe(allowed);
  }
}

/** The two rights that are granted. */
const status = { group: 'apps', resource: 'deployments', subresource: 'status', verb: 'update' };
const one = { resource: 'configmaps', name: 'one', verb: 'get' };

/** What is near them, and is not granted. */
const notGranted: Readonly<Record<string, Json>> = {
  'the resource itself': { ...status, subresource: '' },
  'another subresource': { ...status, subresource: 'scale' },
  'another verb': { ...status, verb: 'get' },
  'another group': { ...status, group: '' },
  'another resource': { ...status, resource: 'replicasets' },
  'another namespace': { ...status, namespace: 'default' },
  'all namespaces': { ...status, namespace: '' },
  'another name': { ...one, name: 'two' },
  'no name': { ...one, name: '' },
};

/** Two rights that reach no further than what they name. */
const narrow: readonly Json[] = [
  { apiGroups: ['apps'], resources: ['deployments/status'], verbs: ['update'] },
  { apiGroups: [''], resources: ['configmaps'], resourceNames: ['one'], verbs: ['get'] },
];

/** What somebody with two narrow rights is told to be allowed, and what not. */
export async function tellsRights(context: RuleContext, user: string): Promise<void> {
  const { send, unique, namespace, waitUntil, allHeard, expect } = context;
  const [place, group] = [await namespace(), unique('asked')];
  const ask = (attributes: Json, who: Json = { user, groups: [group] }): Promise<boolean> =>
    isReviewed(send, { ...who, resourceAttributes: { namespace: place, ...attributes } });
  await bind(context, { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: group }, narrow, true);
  const isAllowed = (what: string, look: () => Promise<boolean>): Promise<boolean> =>
    waitUntil(`the review tells of the right ${what}`, look, (allowed) => allowed === true);
  await isAllowed('to a subresource', () => ask(status));
  await isAllowed('of one name', () => ask(one));
  await isAllowed('of any name', () => ask({ resource: 'secrets', verb: 'get', name: 'any' }));
  for (const [what, attributes] of Object.entries(notGranted)) expect(await ask(attributes), what).toBe(false);
  expect(await ask(one, { user }), 'without the group').toBe(false);
  await isAllowed('of the group alone', () => ask(one, { groups: ['touchstone:none', group] }));
  expect(await isReviewed(send, { user, nonResourceAttributes: path }), 'a path').toBe(false);
  await allHeard();
  await tellsRightsOtherwise(context, { user, group });
  const mighty = { user, groups: ['system:masters'], nonResourceAttributes: path };
  expect(await isReviewed(send, mighty), 'a path, to administrators').toBe(true);
}

/** A right to a path is one to a verb of it. */
export async function tellsOfPaths(context: RuleContext): Promise<void> {
  const { send, unique, waitUntil, expect } = context;
  const user = unique('asked');
  await allowEverywhere(context, user, [{ nonResourceURLs: [path.path], verbs: [path.verb] }]);
  const ask = (verb: string, at = path.path) => isReviewed(send, { user, nonResourceAttributes: { path: at, verb } });
  await waitUntil(
    'the review tells of the right to a path',
    () => ask(path.verb),
    (allowed) => allowed === true,
  );
  expect(await ask('post'), 'another verb of the path').toBe(false);
  for (const other of [`${path.path}/`, `${path.path}/below`, path.path.toUpperCase(), `${path.path}s`])
    expect(await ask(path.verb, other), `another path, ${other}`).toBe(false);
}
