import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { ofOtherTypes, postsWhatBelongs } from '../requests/astray.ts';

export const authorization = '/apis/authorization.k8s.io/v1';
/** What no kind is about. */
export const path = { path: '/touchstone', verb: 'get' };

/** Questions that make no sense, by their kind: what they lack, or have too much of. */
const unfitReviews = (namespace: string): Readonly<Record<string, Readonly<Record<string, Json>>>> => {
  const resource = { namespace, verb: 'get', resource: 'secrets' };
  const everyone = { user: 'somebody' };
  const either = {
    'a resource and a path at once': { ...everyone, resourceAttributes: resource, nonResourceAttributes: path },
    'neither a resource nor a path': everyone,
  };
  return {
    SubjectAccessReview: { ...either, 'about nobody': { resourceAttributes: resource } },
    SelfSubjectAccessReview: Object.fromEntries(
      Object.entries(either).map(([what, { user: _, ...spec }]: [string, Json]) => [what, spec]),
    ),
    LocalSubjectAccessReview: {
      'another namespace': { ...everyone, resourceAttributes: { ...resource, namespace: 'default' } },
      'no namespace': { ...everyone, resourceAttributes: { ...resource, namespace: '' } },
      'a path': { ...everyone, nonResourceAttributes: path },
      'about nobody': { resourceAttributes: resource },
    },
  };
};

/** Nothing is stored of a review, so there is nothing that it could be called or hold. */
const unfitMetadata: Readonly<Record<string, Json>> = {
  'a name': { name: 'review' },
  'a label': { labels: { a: 'b' } },
  'an owner': { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'b' }] },
};

/** A review of each kind that can be answered. */
const fitReviews = (namespace: string): readonly Json[] =>
  Object.keys(unfitReviews(namespace)).map((kind) => {
    const resourceAttributes = { namespace, verb: 'get', resource: 'secrets' };
    const spec = { resourceAttributes, ...(!kind.startsWith('Self') && { user: 'somebody' }) };
    return { apiVersion: 'authorization.k8s.io/v1', kind, spec };
  });

/** Reviews of whose metadata nothing is known. */
const freeReviews = (namespace: string): readonly Json[] => [
  { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } },
  { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'none' } },
];

/** What it asks about is in the namespace that it says it is in itself. */
const elsewhere = { 'another namespace': { metadata: { namespace: 'default' } } };

/** A review that says of itself what only something that is stored can say, or that it is no such review. */
async function refusesOthers({ send, expect }: RuleContext, place: string): Promise<void> {
  for (const review of fitReviews(place)) {
    const { kind } = review;
    const ask = (more: Json) => send('POST', pathOf(review, place), { body: { ...review, ...more } });
    for (const [what, metadata] of Object.entries(unfitMetadata))
      expect((await ask({ metadata })).status, `${kind} with ${what}`).toBe(422);
    const strange = kind.startsWith('Local') ? { ...ofOtherTypes, ...elsewhere } : ofOtherTypes;
    await postsWhatBelongs(expect, kind, ask, strange);
  }
  for (const review of freeReviews(place)) {
    const ask = (other: Json) => send('POST', pathOf(review, place), { body: { ...review, ...other } });
    await postsWhatBelongs(expect, review.kind, ask, ofOtherTypes);
  }
}

const pathOf = ({ apiVersion, kind }: Json, place: string): string =>
  `/apis/${apiVersion}${kind.startsWith('Local') ? `/namespaces/${place}` : ''}/${kind.toLowerCase()}s`;

/** Rights are held in a namespace: who asks for all of them has to say in which. */
async function asksSomewhere({ send, expect }: RuleContext): Promise<void> {
  for (const spec of [{}, { namespace: '' }]) {
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec };
    const { status } = await send('POST', `${authorization}/selfsubjectrulesreviews`, { body });
    expect(status, `all rights, ${JSON.stringify(spec)}`).toBe(400);
  }
}

/** None of them is answered. */
export async function refusesUnfit(context: RuleContext): Promise<void> {
  const { send, namespace, expect } = context;
  const place = await namespace();
  await refusesOthers(context, place);
  await asksSomewhere(context);
  for (const [kind, specs] of Object.entries(unfitReviews(place)))
    for (const [what, spec] of Object.entries(specs)) {
      const body = { apiVersion: 'authorization.k8s.io/v1', kind, spec };
      const answer = await send('POST', pathOf(body, place), { body });
      expect(answer.status, `${kind}: ${what}`).toBe(422);
      expect(answer.body, `${kind}: ${what}`).toMatchObject({ kind: 'Status', reason: 'Invalid' });
    }
}
