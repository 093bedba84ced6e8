import type { CustomResource } from '../../custom-resources/custom-resource.ts';
import { openApiV3 } from '../../custom-resources/openapi.ts';
import type { Resources } from '../../registry/resources.ts';
import { definitionOfVersion3, type Schema } from '../../schema/openapi-definitions.ts';
import { referenceUnder } from './definition-names.ts';
import { form3, pathObject } from './document.ts';
import { customOf, servedOperations } from './operations.ts';
import { perGeneration } from './per-generation.ts';
import { reachable } from './reachable.ts';

const prefix = '#/components/schemas/';

/** The group of the aggregation layer, which is described in version 2 alone. */
const undescribed = 'apis/apiregistration.k8s.io';

/** Which document tells of a path: `api/v1`, `apis/batch`, `apis/batch/v1`, `logs`, `version`. */
function documentOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  return segments.slice(0, segments[0] === 'api' ? 2 : 3).join('/');
}

/** What the documents of all groups are cut from: the operations of each, and its custom resources. */
const sourcesOf = perGeneration((resources) => ({
  operations: Map.groupBy(
    [...servedOperations(resources)].filter(([path]) => !documentOf(path).startsWith(undescribed)),
    ([path]) => documentOf(path),
  ),
  custom: Map.groupBy(customOf(resources), ({ group, served }) => `apis/${group}/${served.version}`),
}));

/** Where the documents of OpenAPI 3.0 are: one for each served group and version, and for what stands beside them. */
export const documentPaths = (resources: Resources): string[] => [...sourcesOf(resources).operations.keys()].sort();

/** A document: its paths and the schemas that these reach. */
export function documentOfVersion3(resources: Resources, documentPath: string, version: string): object {
  const form = form3(referenceUnder(prefix));
  const { operations, custom } = sourcesOf(resources);
  const own = new Map(Object.entries(definitionsOf(custom.get(documentPath))));
  const mine = operations.get(documentPath) ?? [];
  const paths = Object.fromEntries(mine.map(([path, each]) => [path, pathObject(path, each, form)]));
  const [, group = ''] = documentPath.split('/');
  const isCustom = group !== '' && resources.hasGroup(group) && !resources.hasBuiltInGroup(group);
  const reached = reachable(paths, (name) => own.get(name) ?? definitionOfVersion3(name), prefix);
  return {
    openapi: '3.0.0',
    info: isCustom ? { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' } : { title: 'Kubernetes', version },
    paths,
    components: {
      ...(Object.keys(reached).length > 0 && { schemas: reached }),
      ...(!isCustom && { securitySchemes }),
    },
  };
}

const securitySchemes = {
  BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'Bearer Token authentication' },
};

/** Nothing refers to a custom type but the operations of its version. */
const definitionsOf = (resources: readonly CustomResource[] = []): Record<string, Schema> =>
  Object.assign({}, ...resources.map((resource) => openApiV3(resource).definitions));
