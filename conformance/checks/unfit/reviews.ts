import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';

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

/** None of them is answered. */
export async function refusesUnfit({ send, namespace, expect }: RuleContext): Promise<void> {
  const place = await namespace();
  for (const [kind, specs] of Object.entries(unfitReviews(place)))
    for (const [what, spec] of Object.entries(specs)) {
      const within = kind.startsWith('Local') ? `/namespaces/${place}` : '';
      const body = { apiVersion: 'authorization.k8s.io/v1', kind, spec };
      const answer = await send('POST', `${authorization}${within}/${kind.toLowerCase()}s`, { body });
      expect(answer.status, `${kind}: ${what}`).toBe(422);
      expect(answer.body, `${kind}: ${what}`).toMatchObject({ kind: 'Status', reason: 'Invalid' });
    }
}
