import { openApiV2 } from '../../custom-resources/openapi.ts';
import type { Resources } from '../../registry/resources.ts';
import { definitionsOfVersion2 } from '../../schema/openapi-definitions.ts';
import { referenceUnder } from './definition-names.ts';
import { form2, pathObject } from './document.ts';
import { customOf, servedOperations } from './operations.ts';

/** The whole API as one Swagger 2.0 document. */
export function documentOfVersion2(resources: Resources, version: string): object {
  const form = form2(referenceUnder('#/definitions/'));
  const paths = [...servedOperations(resources)].map(([path, operations]) => [
    path,
    pathObject(path, operations, form),
  ]);
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version },
    paths: Object.fromEntries(paths),
    definitions: { ...definitionsOfVersion2(), ...customDefinitions(resources) },
    securityDefinitions: {
      BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'Bearer Token authentication' },
    },
    security: [{ BearerToken: [] }],
  };
}

function customDefinitions(resources: Resources): object {
  return Object.assign({}, ...customOf(resources).map((resource) => openApiV2(resource).definitions));
}
