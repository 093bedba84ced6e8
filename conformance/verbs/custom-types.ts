import type { Json } from './client.ts';
import type { Collection } from './collection.ts';
import type { RuleContext } from './context.ts';

interface CustomTypeParts {
  /** Schema of `spec`; whatever else an object holds is unknown. */
  readonly spec?: Json;
  /** Further members of the one version. */
  readonly version?: Json;
}

const group = 'touchstone.example';

/** Letters and digits only, beginning with a letter: fit for a kind and a resource. */
const wordOf = (unique: string): string => unique.replace(/[^a-z0-9]/g, '');

/** Defines a custom type of its own for the rule, namespaced, and waits until it is served. */
export async function customType(
  context: RuleContext,
  { spec = { type: 'object' }, version = {} }: CustomTypeParts,
): Promise<Collection> {
  const { definitions, kind, unique, send, waitUntil, patience } = context;
  const word = wordOf(unique('t'));
  const plural = `${word}s`;
  const name = `${plural}.${group}`;
  const kindName = `T${word.slice(1)}`;
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  await definitions.create({
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: word, kind: kindName, listKind: `${kindName}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
    },
  });
  const objects = kind({ group, version: 'v1', resource: plural, kind: kindName, namespaced: true });
  const served = async (): Promise<number> => (await send('GET', objects.everywhere)).status;
  await waitUntil(`the custom type ${name} is served`, served, (status) => status === 200, {
    limit: patience * 4,
    interval: 100,
  });
  return objects;
}
