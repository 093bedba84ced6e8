import { lazily } from '../../base/caches/memo.ts';
import { openApiV2 } from '../../custom-resources/openapi.ts';
import type { Resources } from '../../registry/resources.ts';
import { definitionsOfVersion2 } from '../../schema/openapi-definitions.ts';
import type { Part } from '../aggregation/open-api.ts';
import { besideOwn } from './beside-own.ts';
import { referenceUnder } from './definition-names.ts';
import { form2, pathObject } from './document.ts';
import { customOf, servedOperations } from './operations.ts';

/** What others tell, when it is asked for. */
type Beside = () => ReturnType<typeof besideOwn>;

type Members = Iterable<readonly [name: string, value: object]>;

/** What one Swagger 2.0 document holds of the whole API. Paths and definitions, of which there are thousands, come one by one. */
export interface Version2 {
  readonly paths: Members;
  readonly definitions: Members;
  readonly rest: object;
}

/** @param parts what other servers tell of what they serve behind this one */
export function version2Of(resources: Resources, version: string, parts: readonly Part[]): Version2 {
  const beside = lazily(() => besideOwn(ownDefinitions(resources), parts));
  return {
    paths: pathsOf(resources, beside),
    definitions: definitionsOf(resources, beside),
    rest: {
      swagger: '2.0',
      info: { title: 'Kubernetes', version },
      securityDefinitions: {
        BearerToken: {
          type: 'apiKey',
          name: 'authorization',
          in: 'header',
          description: 'Bearer Token authentication',
        },
      },
      security: [{ BearerToken: [] }],
    },
  };
}

function* pathsOf(resources: Resources, beside: Beside): Generator<readonly [string, object]> {
  const form = form2(referenceUnder('#/definitions/'));
  for (const [path, operations] of servedOperations(resources)) yield [path, pathObject(path, operations, form)];
  for (const { paths } of beside()) yield* Object.entries(paths);
}

function* definitionsOf(resources: Resources, beside: Beside): Generator<readonly [string, object]> {
  yield* ownDefinitions(resources);
  for (const { definitions } of beside()) yield* Object.entries(definitions);
}

function* ownDefinitions(resources: Resources): Generator<readonly [string, object]> {
  yield* Object.entries(definitionsOfVersion2());
  for (const resource of customOf(resources)) yield* Object.entries(openApiV2(resource).definitions);
}
