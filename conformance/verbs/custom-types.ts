import type { Json } from './client.ts';
import type { Collection } from './collection.ts';
import type { RuleContext } from './context.ts';
import type { KindPath } from './kinds.ts';
import { mustSucceed } from './workspace.ts';

interface CustomTypeParts {
  /** Schema of `spec`; whatever else an object holds is unknown. */
  readonly spec?: Json;
  /** Schema of `status`. */
  readonly status?: Json;
  /** Schemas of what an object has beside those, by name. */
  readonly beside?: Json;
  /** What else the schema says of a whole object. */
  readonly whole?: Json;
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Further members of every version. */
  readonly version?: Json;
  /** A type with whose name that of this one begins. */
  readonly like?: Collection;
  /** Its kind; a word of its own where none is given. */
  readonly kind?: string;
  /** It has a group to itself, of which nothing is told but what it is. */
  readonly alone?: boolean;
  /** Further versions that are served; objects are stored in `v1`. */
  readonly others?: readonly string[];
  /** Schema of `spec` in those, if it is another. */
  readonly otherSpec?: Json;
  /** Further members of those, if they are others. */
  readonly otherVersion?: Json;
}

/** The group of all types that rules define, but for those that are alone: it is there as long as one of them is. */
export const sharedGroup = 'touchstone.example';

/** Letters and digits only, beginning with a letter: fit for a kind and a resource. */
const wordOf = (unique: string): string => unique.replace(/[^a-z0-9]/g, '');

/** Defines a custom type of its own for the rule, namespaced unless it is said otherwise, and waits until it is served. */
export async function customType(context: RuleContext, parts: CustomTypeParts): Promise<Collection> {
  const { at, drop } = await defineType(context, parts);
  context.later(drop);
  return context.kind(at);
}

interface DefinedType {
  readonly at: KindPath;
  readonly drop: () => Promise<unknown>;
}

async function defineType(context: RuleContext, parts: CustomTypeParts): Promise<DefinedType> {
  const { spec = { type: 'object' }, status, scope = 'Namespaced', version = {}, others = [], like } = parts;
  const { otherSpec = spec, otherVersion = version, alone = false, beside = {}, whole = {} } = parts;
  const { definitions, kind, unique, send, waitUntil, allHeard, patience } = context;
  const word = like ? `${like.at.resource}more` : wordOf(unique('t'));
  // Nobody may make a plural of a kind: this one is none of it.
  const plural = `${word}es`;
  const group = alone ? `${word}.${sharedGroup}` : sharedGroup;
  const name = `${plural}.${group}`;
  const kindName = parts.kind ?? `T${word.slice(1)}`;
  const schemaOf = (own: Json): Json => ({
    openAPIV3Schema: { type: 'object', properties: { spec: own, ...(status ? { status } : {}), ...beside }, ...whole },
  });
  const definition = definitions.sample({
    metadata: { name },
    spec: {
      group,
      scope,
      names: { plural, singular: word, kind: kindName, listKind: `${kindName}List` },
      versions: ['v1', ...others].map((each) => ({
        ...{ name: each, served: true, storage: each === 'v1', schema: schemaOf(each === 'v1' ? spec : otherSpec) },
        ...(each === 'v1' ? version : otherVersion),
      })),
    },
  });
  const body = { ...definition, apiVersion: 'apiextensions.k8s.io/v1' };
  mustSucceed(await send('POST', definitions.everywhere, { body, lasting: true }), 'create a CustomResourceDefinition');
  const at = { group, version: 'v1', resource: plural, kind: kindName, namespaced: scope === 'Namespaced' };
  const objects = kind(at);
  const served = async (): Promise<number> => (await send('GET', objects.everywhere)).status;
  await waitUntil(`the custom type ${name} is served`, served, (status) => status === 200, {
    limit: patience * 4,
    interval: 100,
  });
  await allHeard();
  return { at, drop: () => definitions.delete(name) };
}

const text = { type: 'string' };
const entries = {
  type: 'array',
  items: { type: 'object', required: ['name'], properties: { name: text, value: text } },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
};

/** What the types have that general rules are tried on: a field of every sort, a status and a scale. */
const general: Omit<CustomTypeParts, 'scope'> = {
  spec: {
    type: 'object',
    properties: {
      size: { type: 'integer' },
      flag: { type: 'boolean' },
      note: { ...text, nullable: true },
      colour: { ...text, default: 'red' },
      marks: { type: 'array', items: text },
      set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      entries,
      words: { type: 'object', additionalProperties: text },
      parts: { type: 'object', additionalProperties: { type: 'object', properties: { name: text } } },
    },
  },
  status: { type: 'object', properties: { ready: { type: 'integer' }, chosen: text } },
  version: {
    additionalPrinterColumns: [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Colour', type: 'string', jsonPath: '.spec.colour', priority: 1 },
    ],
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.size',
        statusReplicasPath: '.status.ready',
        labelSelectorPath: '.status.chosen',
      },
    },
  },
};

interface Lease {
  users: number;
  readonly defined: Promise<DefinedType>;
}

const leases = new Map<string, Lease>();

/** The general type of a scope, which rules share for as long as any of them is at work. */
export async function leasedType(context: RuleContext, scope: 'Namespaced' | 'Cluster'): Promise<Collection> {
  const key = `${context.cluster.server} ${scope}`;
  const lease = leases.get(key) ?? { users: 0, defined: defineType(context, { ...general, scope }) };
  leases.set(key, lease);
  lease.users += 1;
  context.later(async () => {
    lease.users -= 1;
    if (lease.users > 0) return;
    if (leases.get(key) === lease) leases.delete(key);
    // What was never defined need not go, and the check has told why.
    const defined = await lease.defined.catch(() => undefined);
    await defined?.drop();
  });
  const { at } = await lease.defined;
  return context.kind(at);
}
