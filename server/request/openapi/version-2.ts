import { openApiV2 } from '../../custom-resources/openapi.ts';
import type { Resources } from '../../registry/resources.ts';
import { definitionsOfVersion2 } from '../../schema/openapi-definitions.ts';
import { referenceUnder } from './definition-names.ts';
import { form2, pathObject } from './document.ts';
import { customOf, servedOperations } from './operations.ts';

type Members = Iterable<readonly [name: string, value: object]>;

/** What one Swagger 2.0 document holds of the whole API. Paths and definitions, of which there are thousands, come one by one. */
export interface Version2 {
  readonly paths: Members;
  readonly definitions: Members;
  readonly rest: object;
}

export const version2Of = (resources: Resources, version: string): Version2 => ({
  paths: pathsOf(resources),
  definitions: definitionsOf(resources),
  rest: {
    swagger: '2.0',
    info: { title: 'Kubernetes', version },
    securityDefinitions: {
      BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'Bearer Token authentication' },
    },
    security: [{ BearerToken: [] }],
  },
});

/** All of it at once. */
export const documentOfVersion2 = ({ paths, definitions, rest }: Version2): object => ({
  ...rest,
  paths: Object.fromEntries(paths),
  definitions: Object.fromEntries(definitions),
});

function* pathsOf(resources: Resources): Generator<readonly [string, object]> {
  const form = form2(referenceUnder('#/definitions/'));
  for (const [path, operations] of servedOperations(resources)) yield [path, pathObject(path, operations, form)];
}

function* definitionsOf(resources: Resources): Generator<readonly [string, object]> {
  yield* Object.entries(definitionsOfVersion2());
  for (const resource of customOf(resources)) yield* Object.entries(openApiV2(resource).definitions);
}
