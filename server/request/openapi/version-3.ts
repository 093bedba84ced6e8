import { apiVersionOf } from '../../base/kube-object.ts';
import { openApiV3 } from '../../custom-resources/openapi.ts';
import type { Resources } from '../../registry/resources.ts';
import { definitionsOfVersion3, type Schema } from '../../schema/openapi-definitions.ts';
import { referenceUnder } from './definition-names.ts';
import { form3, pathObject } from './document.ts';
import { customOf, servedOperations } from './operations.ts';
import { perGeneration } from './per-generation.ts';

const prefix = '#/components/schemas/';

/** Where the documents of OpenAPI 3.0 are: `api/v1`, `apis/batch/v1`, one for each served group and version. */
export function groupPaths(resources: Resources): string[] {
  const found = new Set<string>();
  for (const { group, served } of resources.all()) {
    found.add(group ? `apis/${apiVersionOf(group, served.version)}` : `api/${served.version}`);
  }
  return [...found].sort();
}

/** What the documents of all groups are cut from. */
const sourcesOf = perGeneration((resources) => ({
  operations: [...servedOperations(resources)],
  schemas: { ...definitionsOfVersion3(), ...customDefinitions(resources) } as Record<string, Schema>,
}));

/** The document of one group and version: its paths and the schemas that these reach. */
export function documentOfVersion3(resources: Resources, groupPath: string, version: string): object {
  const form = form3(referenceUnder(prefix));
  const { operations: all, schemas } = sourcesOf(resources);
  const mine = all.filter(([path]) => path.startsWith(`/${groupPath}/`));
  const paths = Object.fromEntries(mine.map(([path, operations]) => [path, pathObject(path, operations, form)]));
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version },
    paths,
    components: {
      schemas: reachable(paths, schemas),
      securitySchemes: {
        BearerToken: {
          type: 'apiKey',
          name: 'authorization',
          in: 'header',
          description: 'Bearer Token authentication',
        },
      },
    },
  };
}

function customDefinitions(resources: Resources): Record<string, Schema> {
  return Object.assign({}, ...customOf(resources).map((resource) => openApiV3(resource).definitions));
}

/** The definitions that something refers to, directly or through others. */
function reachable(root: object, all: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (key !== '$ref' || typeof member !== 'string') {
        pending.push(member);
        continue;
      }
      const name = member.slice(prefix.length);
      const definition = all[name];
      if (definition && !Object.hasOwn(found, name)) {
        found[name] = definition;
        pending.push(definition);
      }
    }
  }
  return found;
}
