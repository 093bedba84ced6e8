import type { ApiOperation } from '../../schema/load.ts';
import type { Schema } from '../../schema/openapi-definitions.ts';
import type { PathOperations } from './operations.ts';

const integers = new Set([
  'limit',
  'timeoutSeconds',
  'gracePeriodSeconds',
  'tailLines',
  'sinceSeconds',
  'limitBytes',
  'ports',
]);
const booleans = new Set([
  'allowWatchBookmarks',
  'watch',
  'force',
  'orphanDependents',
  'follow',
  'previous',
  'timestamps',
  'insecureSkipTLSVerifyBackend',
  'stdin',
  'stdout',
  'stderr',
  'tty',
]);

const typeOf = (name: string) => (integers.has(name) ? 'integer' : booleans.has(name) ? 'boolean' : 'string');

/** The schema of an operation's own kind, of its list, and of the common answers and bodies. */
type Reference = (kind: string) => Schema;

interface Parameter {
  readonly name: string;
  readonly inPath: boolean;
}

/** A name in braces is filled into the path once: who connects to a path of a proxy may give one in the query, too. */
function parametersOf(names: readonly string[], path: string): readonly Parameter[] {
  const places = new Set(path.match(/(?<=\{)[^}]+/g));
  return names.map((name) => ({ name, inPath: places.delete(name) }));
}

export interface OperationForm {
  /** Parameters, bodies and answers differ between the versions of OpenAPI. */
  parameter(parameter: Parameter): object;
  parameters(operation: ApiOperation, own: readonly Parameter[]): object;
  responses(operation: ApiOperation): object;
}

/** One operation with what clients look for: its action, its kind, its parameters and its answers. */
function operationObject(
  method: string,
  path: string,
  operation: ApiOperation,
  form: OperationForm,
  own: readonly Parameter[],
): object {
  const { action, gvk } = operation;
  return {
    operationId: `${method}${path.replace(/[^A-Za-z0-9]+(.)?/g, (_, letter: string | undefined) => (letter ?? '').toUpperCase())}`,
    ...form.parameters(operation, own),
    ...form.responses(operation),
    ...(action && { 'x-kubernetes-action': action }),
    ...(gvk && { 'x-kubernetes-group-version-kind': gvk }),
  };
}

/** A path: what all its operations take stands once, above them. */
export function pathObject(path: string, operations: PathOperations, form: OperationForm): object {
  const all = Object.values(operations);
  const shared = (all[0]?.parameters ?? []).filter(
    (name) => name !== 'body' && all.every(({ parameters }) => parameters.includes(name)),
  );
  const own = ({ parameters }: ApiOperation) =>
    parametersOf(
      parameters.filter((name) => !shared.includes(name)),
      path,
    );
  return {
    ...Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        operationObject(method, path, operation, form, own(operation)),
      ]),
    ),
    ...(shared.length > 0 && { parameters: parametersOf(shared, path).map(form.parameter) }),
  };
}

/** Which schema an answer of 2xx has: lists and deletes differ from the rest. */
function answerOf({ action, gvk, listKind }: ApiOperation): string {
  if (!gvk || action === 'connect' || !action) return '';
  if (action === 'list' || action === 'watchlist') return listKind ?? `${gvk.kind}List`;
  return action === 'delete' || action === 'deletecollection' ? 'Status' : gvk.kind;
}

function bodyOf({ action, gvk }: ApiOperation): string {
  if (action === 'patch') return 'Patch';
  return action === 'delete' || action === 'deletecollection' ? 'DeleteOptions' : (gvk?.kind ?? '');
}

const said: Readonly<Record<string, string>> = {
  '200': 'OK',
  '201': 'Created',
  '202': 'Accepted',
  '401': 'Unauthorized',
};

const responsesOf = ({ responses }: ApiOperation, content: object) =>
  Object.fromEntries(
    responses.map((code) => [code, { description: said[code] ?? code, ...(code < '300' && content) }]),
  );

const placeOf = (inPath: boolean) => (inPath ? { in: 'path', required: true } : { in: 'query' });
const parameter2 = ({ name, inPath }: Parameter) => ({
  ...{ name, ...placeOf(inPath), type: typeOf(name), uniqueItems: true },
});
const parameter3 = ({ name, inPath }: Parameter) => ({
  ...{ name, ...placeOf(inPath), schema: { type: typeOf(name), uniqueItems: true } },
});

/** Swagger 2.0: parameters hold the body, answers a schema. */
export const form2 = (reference: (operation: ApiOperation) => Reference): OperationForm => ({
  parameter: parameter2,
  parameters: (operation, own) => ({
    consumes: operation.consumes ?? ['*/*'],
    produces: operation.produces ?? ['application/json'],
    schemes: ['https'],
    parameters: own.map((parameter) => {
      if (parameter.name !== 'body') return parameter2(parameter);
      const required = operation.action !== 'delete' && operation.action !== 'deletecollection';
      return {
        name: 'body',
        in: 'body',
        ...(required && { required }),
        schema: reference(operation)(bodyOf(operation)),
      };
    }),
  }),
  responses: (operation) => {
    const kind = answerOf(operation);
    return { responses: responsesOf(operation, kind ? { schema: reference(operation)(kind) } : {}) };
  },
});

/** OpenAPI 3.0: the body stands apart, and schemas hang below their media types. */
export const form3 = (reference: (operation: ApiOperation) => Reference): OperationForm => ({
  parameter: parameter3,
  parameters: (operation, own) => ({
    parameters: own.filter(({ name }) => name !== 'body').map(parameter3),
    ...(operation.parameters.includes('body') && {
      requestBody: {
        content: byMediaType(operation.consumes ?? ['*/*'], reference(operation)(bodyOf(operation))),
      },
    }),
  }),
  responses: (operation) => {
    const kind = answerOf(operation);
    const content = kind ? { content: byMediaType(operation.produces ?? [], reference(operation)(kind)) } : {};
    return { responses: responsesOf(operation, content) };
  },
});

const byMediaType = (types: readonly string[], schema: Schema) =>
  Object.fromEntries(types.map((type) => [type, { schema }]));
