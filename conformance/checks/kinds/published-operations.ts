import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { isBuiltIn, pathOf, type ServedResource, servedResources, servedVersions } from '../../verbs/discovery.ts';

/** By the verb of discovery: the method, whether it is of one object, and what the schema calls it. */
const operations: Readonly<Record<string, readonly [method: string, ofOne: boolean, action: string]>> = {
  get: ['get', true, 'get'],
  list: ['get', false, 'list'],
  create: ['post', false, 'post'],
  update: ['put', true, 'put'],
  patch: ['patch', true, 'patch'],
  delete: ['delete', true, 'delete'],
  deletecollection: ['delete', false, 'deletecollection'],
};

/** Where the schema has an operation on a resource, or on what is below an object. */
function publishedAt({ groupVersion, name, namespaced }: ServedResource, ofOne: boolean): string {
  const [resource, sub] = name.split('/');
  const place = `${pathOf(groupVersion)}${namespaced ? '/namespaces/{namespace}' : ''}/${resource}`;
  return sub ? `${place}/{name}/${sub}` : ofOne ? `${place}/{name}` : place;
}

/** The group, version and kind that an operation is about; those below an object may be of another group. */
function kindOf({ groupVersion, group, version, kind }: ServedResource): Json {
  const [own = '', number] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
  return version ? { group: group ?? '', version, kind } : { group: own, version: number, kind };
}

/** What discovery tells of a built-in resource stands in the published schema: each operation, and the kind it is about. */
export async function publishesOperations({ send, expect }: RuleContext): Promise<void> {
  const { body } = await send('GET', '/openapi/v2', { headers: { accept: 'application/json' } });
  for (const groupVersion of (await servedVersions(send)).filter(isBuiltIn))
    for (const resource of await servedResources(send, groupVersion)) {
      if (resource.kind.endsWith('Options')) continue;
      for (const verb of resource.verbs) {
        const [method, ofOne, action] = operations[verb] ?? [];
        if (!method) continue;
        const path = publishedAt(resource, ofOne === true);
        expect(body?.paths?.[path]?.[method], `${method} ${path} in the published schema`).toMatchObject({
          ...{ 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': kindOf(resource) },
          responses: expect.objectContaining({ 401: expect.anything() }),
        });
      }
    }
}
