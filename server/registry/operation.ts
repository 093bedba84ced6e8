import { cloneJson } from '../base/clone.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { methodNotAllowed, notFound } from '../base/status-error.ts';
import type { Operation, OperationInput, OperationResult } from '../kinds/strategy.ts';
import { checkStructure } from '../schema/check.ts';
import type { Decoded } from '../schema/decoded.ts';
import { structureOfKind } from '../schema/load.ts';
import { KeyMissingError } from '../store/store.ts';
import { attributesOf, writeOptionsObject } from './admit.ts';
import { type Call, type WriteCall, writeContext } from './call.ts';
import { remove } from './delete.ts';
import { trackedWrite, trackManagers } from './managers.ts';
import { checkNamespace } from './namespaces.ts';
import { deleteOptions } from './options.ts';
import { keyOf, subjectOf } from './resource.ts';
import { fillSystemFields } from './system-fields.ts';
import { checkIdentity, judgeFaults, named } from './typed.ts';

/** Subresources that open a connection instead of taking an object. */
const connections: readonly string[] = ['exec', 'attach', 'portforward', 'proxy'];

/** Operations that take no body. Reading a log is no more than a read, so admission has no say in it. */
export const bodiless = ({ subresource }: Call) => connections.includes(subresource) || subresource === 'log';

/**
 * Carries out an operation that a kind brings along. `decoded` is missing for requests without a body; `connection`
 * is what such a request tells of the connection it opens.
 */
export async function runOperation(
  call: WriteCall,
  decoded: Decoded | undefined,
  query: OperationInput['query'],
  connection?: KubeObject,
): Promise<OperationResult> {
  const operation: Operation | undefined = call.resource.rules.operations?.[call.subresource];
  if (!operation) throw methodNotAllowed();
  const body = decoded && typedOperationBody(call, decoded);
  if (body) await prepareBody(call, body);
  if (call.subresource !== 'log') await admit(call, body ?? connection);
  return operation(inputOf(call, body, query));
}

/** What an operation's body is: the subresource's own kind, or that of the virtual resource. */
function bodyKind({ resource, subresource }: Call) {
  const sub = resource.subresources.get(subresource);
  const { group, version, kind } = sub ?? resource.served;
  return { group, version, kind, apiVersion: group ? `${group}/${version}` : version };
}

function typedOperationBody(call: WriteCall, decoded: Decoded): KubeObject {
  const expected = bodyKind(call);
  checkIdentity(acceptedVersion(call, expected, decoded.value), decoded.value);
  const structure = structureOfKind(expected.group, expected.version, expected.kind);
  if (!structure) throw methodNotAllowed();
  const { value, unknown } = checkStructure(decoded.value, structure, { oddNumbers: decoded.oddNumbers });
  judgeFaults(call, decoded.faults(unknown), call.options.fieldValidation, expected.kind);
  return named(value, expected);
}

/** The version that the body names, where it is one of those that stand for the expected one. */
function acceptedVersion<T extends object>({ resource, subresource }: Call, expected: T, body: Decoded['value']): T {
  const others = resource.rules.bodyVersions?.[subresource];
  const apiVersion = others?.find((version) => version === (body as Partial<KubeObject> | null)?.apiVersion);
  return apiVersion ? { ...expected, apiVersion } : expected;
}

/** Virtual objects get no identity, but the same care for their metadata as others. */
async function prepareBody(call: WriteCall, body: KubeObject): Promise<void> {
  if (call.subresource) return;
  checkNamespace(call, body.metadata.namespace);
  const { uid: _uid, creationTimestamp: _time, ...metadata } = withSystemFields(call, body).metadata;
  body.metadata = { ...metadata, creationTimestamp: null };
  await trackManagers(call, undefined, body);
}

function withSystemFields(call: WriteCall, body: KubeObject): KubeObject {
  fillSystemFields(body, call);
  return body;
}

async function admit(call: WriteCall, body: KubeObject | undefined): Promise<void> {
  const { services, options } = call;
  const opens = connections.includes(call.subresource);
  const attributes = attributesOf(call, {
    operation: opens ? 'CONNECT' : 'CREATE',
    object: body,
    oldObject: undefined,
    options: opens ? undefined : writeOptionsObject('CreateOptions', options),
    dryRun: options.dryRun,
  });
  await services.admission.mutate(attributes);
  await services.admission.validate(attributes);
}

function inputOf(call: WriteCall, body: KubeObject | undefined, query: OperationInput['query']): OperationInput {
  return {
    body,
    namespace: call.namespace,
    name: call.name,
    context: { ...writeContext(call, call.options.dryRun), manager: trackedWrite(call).manager },
    query,
    updateOther: ({ group, resource, namespace, name }, change) =>
      updateAt(call, `${group}/${resource}/${namespace}/${name}`, { group, resource }, name, change as never) as never,
    update: (change) => updateWith(call, change as unknown as Amend) as never,
    remove: async (options) => {
      const asked = deleteOptions(options as Parameters<typeof deleteOptions>[0]);
      await remove(
        { ...call, subresource: '' },
        { ...asked, dryRun: asked.dryRun || call.options.dryRun },
        { admitted: true },
      );
    },
  };
}

type Amend = (current: KubeObject) => KubeObject | Promise<KubeObject>;

/** Changes the object that the operation is about. `change` gets a copy of its own each time. */
async function updateWith(call: WriteCall, change: Amend): Promise<KubeObject> {
  const { resource, services, options } = call;
  const key = keyOf(resource, call.namespace, call.name);
  try {
    if (options.dryRun) {
      const current = await services.store.get(key);
      if (!current) throw new KeyMissingError(key);
      return await change(cloneJson(current.value));
    }
    const { stored } = await services.store.update(key, async (current) => {
      const next = await change(cloneJson(current.value));
      await trackManagers(call, current.value, next);
      return { write: next };
    });
    return stored.value;
  } catch (error) {
    if (error instanceof KeyMissingError) throw notFound(subjectOf(resource), call.name);
    throw error;
  }
}

/** Changes an object of any kind by its key. `change` gets a copy of its own each time. */
async function updateAt(
  { services, options }: WriteCall,
  key: string,
  subject: { group: string; resource: string },
  name: string,
  change: (current: KubeObject) => KubeObject | Promise<KubeObject>,
): Promise<KubeObject> {
  try {
    if (!options.dryRun) {
      const { stored } = await services.store.update(key, async ({ value }) => ({
        write: await change(cloneJson(value)),
      }));
      return stored.value;
    }
    const current = await services.store.get(key);
    if (!current) throw new KeyMissingError(key);
    return await change(cloneJson(current.value));
  } catch (error) {
    if (error instanceof KeyMissingError) throw notFound(subject, name);
    throw error;
  }
}
