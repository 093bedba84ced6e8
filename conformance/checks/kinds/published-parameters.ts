import { heldFrom } from '../../holds-for.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';

const writing = ['dryRun', 'fieldManager'];
const removing = ['dryRun', 'gracePeriodSeconds', 'propagationPolicy'];
const paging = ['continue', 'limit', 'resourceVersion', 'resourceVersionMatch'];
const selecting = [...paging, 'fieldSelector', 'labelSelector', 'timeoutSeconds'];

/** What each verb takes in its query; clients look up here whether a server can rehearse what they ask for. */
const taken: Readonly<Record<string, readonly string[]>> = {
  list: [...selecting, 'allowWatchBookmarks', 'watch'],
  create: writing,
  update: writing,
  patch: [...writing, 'force'],
  delete: removing,
  deletecollection: [...selecting, ...removing],
};

/** Of custom types servers of some releases tell less. */
const takenByCustom: Readonly<Record<string, readonly string[]>> = {
  list: selecting,
  create: writing,
  update: writing,
  patch: writing,
};

const sending: readonly string[] = ['create', 'update', 'patch'];
const patchTypes = ['application/json-patch+json', 'application/merge-patch+json'];

interface Operation {
  readonly path: string;
  readonly method: string;
  /** Of discovery. */
  readonly verb: string;
  readonly isBuiltIn: boolean;
}

/** @param version of the server */
function queriesOf({ verb, isBuiltIn }: Operation, version: string): readonly Json[] {
  const checking = isBuiltIn && sending.includes(verb) && !heldFrom({ from: 25 }, version) ? ['fieldValidation'] : [];
  const names = [...((isBuiltIn ? taken : takenByCustom)[verb] ?? []), ...checking];
  return names.map((name) => ({ name, in: 'query' }));
}

/** The parameters of an operation, those of its path among them; many may refer to one that stands apart. */
function parametersOf(schema: Json, { path, method }: Operation): readonly Json[] {
  const item = schema.paths[path];
  const named: readonly Json[] = [...(item.parameters ?? []), ...(item[method].parameters ?? [])];
  return named.map((each) => (each.$ref ? schema.parameters?.[each.$ref.split('/').at(-1)] : each) ?? each);
}

const inPlace = (path: string): Json[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true }));

/**
 * An operation has a parameter for each place in its path, one for what is sent, and all that its verb takes; a patch says
 * in which forms it may be sent.
 */
export function expectParameters(
  { expect, version }: Pick<RuleContext, 'expect' | 'version'>,
  schema: Json,
  operation: Operation,
): void {
  const { path, method, verb } = operation;
  const what = `${method} ${path} in the published schema`;
  const parameters = parametersOf(schema, operation);
  const body = sending.includes(verb) ? [{ name: 'body', in: 'body' }] : [];
  const wanted = [...inPlace(path), ...queriesOf(operation, version), ...body];
  const isThere = (one: Json): boolean =>
    parameters.some(
      (each) => each.name === one.name && each.in === one.in && each.required === (one.required ?? each.required),
    );
  const missing = wanted.filter((one) => !isThere(one)).map((one) => one.name);
  expect(missing, `parameters that are missing of ${what}`).toEqual([]);
  if (verb !== 'patch') return;
  expect(schema.paths[path][method].consumes, `forms of ${what}`).toEqual(expect.arrayContaining(patchTypes));
}
