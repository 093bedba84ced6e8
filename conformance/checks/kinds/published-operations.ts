import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import {
  describedKinds,
  isBuiltIn,
  pathOf,
  publishedSchema,
  type ServedResource,
  servedResources,
  servedVersions,
  typeOf,
} from '../../verbs/discovery.ts';
import type { KindPath } from '../../verbs/kinds.ts';
import { expectParameters } from './published-parameters.ts';
import { publishesInProtobuf } from './published-protobuf.ts';

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

type Judging = Pick<RuleContext, 'expect' | 'version'>;

/** Each verb of a resource stands among the published paths as an operation, with the kind that it is about. */
function expectPublished(judging: Judging, schema: Json, resource: ServedResource): void {
  const { expect } = judging;
  for (const verb of resource.verbs) {
    const [method, ofOne, action] = operations[verb] ?? [];
    if (!method) continue;
    const path = publishedAt(resource, ofOne === true);
    expect(schema?.paths?.[path]?.[method], `${method} ${path} in the published schema`).toMatchObject({
      ...{ 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': kindOf(resource) },
      responses: expect.objectContaining({ 401: expect.anything() }),
    });
    expectParameters(judging, schema, { path, method, verb, isBuiltIn: isBuiltIn(resource.groupVersion) });
  }
}

/** What discovery tells of a built-in resource stands in the published schema: its kind, and each verb as an operation. */
export async function publishesKinds(context: RuleContext): Promise<void> {
  const { send, expect } = context;
  const schema = await publishedSchema(send);
  const described = describedKinds(schema);
  const versions = (await servedVersions(send)).filter(isBuiltIn);
  expect(versions.length, 'served versions').toBeGreaterThan(1);
  for (const groupVersion of versions)
    for (const resource of await servedResources(send, groupVersion)) {
      const what = `${resource.name} of ${groupVersion} in the published schema`;
      const areOptions = resource.kind.endsWith('Options');
      // Options of what is no object are parameters.
      if (!areOptions || !resource.name.includes('/')) expect(described, what).toContain(typeOf(resource));
      if (!areOptions) expectPublished(context, schema, resource);
    }
  await publishesInProtobuf(context, schema);
}

/** And so does what it tells of a custom type, once all of its servers do; below one of these the kind is another. */
export async function publishesCustomOperations(context: RuleContext, at: KindPath): Promise<void> {
  const { send, expect, waitUntil, longPatience } = context;
  const limit = { limit: longPatience, interval: 500 };
  const find = async () =>
    (await servedResources(send, `${at.group}/${at.version}`)).find(({ name }) => name === at.resource);
  const resource = await waitUntil('discovery tells of the type', find, (found) => found !== undefined, limit);
  if (!resource) return;
  expect(resource.verbs, `verbs of ${at.resource}`).toContain('deletecollection');
  const isPublished = (schema: Json): boolean => schema?.paths?.[publishedAt(resource, false)] !== undefined;
  const schema = await waitUntil('its paths are published', () => publishedSchema(send), isPublished, limit);
  expectPublished(context, schema, resource);
}
