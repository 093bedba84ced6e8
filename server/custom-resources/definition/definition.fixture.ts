import type { FieldError } from '../../base/field-error.ts';
import { allOf } from '../../kinds/faults.fixture.ts';
import type { WriteContext } from '../../kinds/strategy.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { TestServer } from '../../stories/test-server.fixture.ts';
import type { Definition, DefinitionVersion } from '../definition-shape.ts';
import { customResourceDefinition as kind } from './definition.ts';

/** For tests: a definition with one version, and what is wrong with changed forms of it. */

export const context = { clock: { now: () => 0 } } as unknown as WriteContext;
const group = 'shop.example.com';

export const version = (name: string, more: Partial<DefinitionVersion> = {}): DefinitionVersion => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});
export const stored = (more: Partial<DefinitionVersion> = {}) => version('v1', { storage: true, ...more });

function definition(change: (object: Definition) => void = () => {}): Definition {
  const object: Definition = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: `ducks.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural: 'ducks', kind: 'Duck' }, versions: [stored()] },
  };
  change(object);
  return object;
}

/** A definition of things in example.com, as it is sent, with one version that has these parts. */
export const things = (parts: object, scope: Definition['spec']['scope'] = 'Namespaced') => ({
  metadata: { name: 'things.example.com' },
  spec: {
    ...{ group: 'example.com', scope, names: { plural: 'things', kind: 'Thing' } },
    versions: [{ name: 'v1', served: true, storage: true, ...parts }],
  },
});

/** Defines things on a server, as `things` does, and waits until they are served. */
export async function defineThings(server: TestServer, ...asked: Parameters<typeof things>): Promise<void> {
  await server.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', things(...asked));
  await server.settle();
}

export function created(change?: (object: Definition) => void): { object: Definition; errors: FieldError[] } {
  const object = definition(change);
  kind.default?.(object);
  kind.prepareCreate?.(object, context);
  kind.default?.(object);
  return {
    object,
    errors: [...allOf(kind.validate?.(object, context)), ...allOf(kind.validateCreate?.(object, context))],
  };
}

export const told = (errors: readonly FieldError[]) =>
  [...new Set(errors.map(({ reason, field }) => `${reason} ${field}`))].sort();
export const problems = (change: (object: Definition) => void) => told(created(change).errors);
const at = 'spec.validation.openAPIV3Schema';
export const ofSchema = (schema: JsonSchema, more: Partial<DefinitionVersion> = {}) =>
  problems(({ spec }) => {
    spec.versions = [stored({ schema: { openAPIV3Schema: schema }, ...more })];
  }).map((text) => text.replace(at, '~'));
