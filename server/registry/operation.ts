import { cloneJson } from '../base/clone.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { methodNotAllowed, notFound } from '../base/status-error.ts';
import { carryOut, known, type Work } from '../base/turns/work.ts';
import type { OperationInput, OperationResult, OperationRules } from '../kinds/strategy.ts';
import { trackUpdate } from '../patch/apply/track-update.ts';
import { checkStructure } from '../schema/check.ts';
import type { Decoded } from '../schema/decoded.ts';
import { structureOfKind } from '../schema/load.ts';
import type { Call, WriteCall } from './call.ts';
import { remove } from './delete.ts';
import { type Proposal, writeContext } from './draft.ts';
import { deleteOptions } from './options.ts';
import { checkNamespace } from './place.ts';
import { admit, type Question, writeOptionsObject } from './steps/admit.ts';
import { setManagers, trackedWrite } from './steps/managers.ts';
import { fillSystemFields } from './steps/system-fields.ts';
import { checkIdentity, judgeFaults, named } from './typed.ts';
import { giveBack, type Undo } from './undo.ts';
import { write } from './write.ts';

/** The operation that a request leads to. @throws 405 */
export function operationOf({ resource, subresource }: Call): OperationRules {
  const operation = resource.rules.operations?.[subresource];
  if (!operation) throw methodNotAllowed();
  return operation;
}

/** What a request brings along: a body, or what it tells of the connection that it opens. */
export interface Asked {
  readonly body?: Decoded | undefined;
  readonly connection?: KubeObject;
}

/** What an operation is told of the address of its request. */
export type Address = Pick<OperationInput, 'query' | 'queryAll' | 'lacksSlash' | 'beyond'>;

/** Carries out an operation that a kind brings along. */
export async function runOperation(
  call: WriteCall,
  operation: OperationRules,
  asked: Asked,
  address: Address,
): Promise<OperationResult> {
  const body = asked.body && typedOperationBody(call, operation, asked.body);
  if (body) await prepareBody(call, operation, body);
  const undo: Undo = [];
  const object = asked.connection ?? body;
  try {
    if (!operation.onlyReads) await carryOut(admit(call, question(call, operation, object, undo)));
    return await operation.run(inputOf(call, body, address, undo));
  } catch (error) {
    await giveBack(undo);
    throw error;
  }
}

/** What an operation's body is: the subresource's own kind, or that of the virtual resource. */
export function bodyKind({ resource, subresource }: Call) {
  const sub = resource.subresources.get(subresource);
  const { group, version, kind } = sub ?? resource.served;
  return { group, version, kind, apiVersion: group ? `${group}/${version}` : version };
}

function typedOperationBody(call: WriteCall, { bodyVersions }: OperationRules, decoded: Decoded): KubeObject {
  const expected = bodyKind(call);
  checkIdentity(acceptedVersion(bodyVersions, expected, decoded.value), decoded.value);
  const structure = structureOfKind(expected.group, expected.version, expected.kind);
  if (!structure) throw methodNotAllowed();
  const { value, unknown } = checkStructure(decoded.value, structure, { oddNumbers: decoded.oddNumbers });
  judgeFaults(call, decoded.faults(unknown), call.options.fieldValidation, expected.kind);
  return named(value, expected);
}

/** The version that the body names, where it is one of those that stand for the expected one. */
function acceptedVersion<T extends object>(
  others: readonly string[] | undefined,
  expected: T,
  body: Decoded['value'],
): T {
  const apiVersion = others?.find((version) => version === (body as Partial<KubeObject> | null)?.apiVersion);
  return apiVersion ? { ...expected, apiVersion } : expected;
}

/** Virtual objects get no identity and no name, but the same care for their metadata as others. */
async function prepareBody(call: WriteCall, { meansObject }: OperationRules, body: KubeObject): Promise<void> {
  if (call.subresource) {
    // A binding is admitted as it was sent.
    if (call.subresource !== 'binding' && call.namespace) body.metadata.namespace ??= call.namespace;
    return;
  }
  checkNamespace(call, body.metadata.namespace);
  fillSystemFields(body, call);
  const { uid, creationTimestamp: _time, ...metadata } = body.metadata;
  body.metadata = { ...metadata, ...(meansObject && uid !== undefined && { uid }), creationTimestamp: null };
  setManagers(body, await carryOut(trackUpdate({ ...trackedWrite(call), next: body })));
}

function question(
  { options, name: asked }: WriteCall,
  { connects }: OperationRules,
  object: KubeObject | undefined,
  undo: Undo,
): Question {
  const { dryRun } = options;
  if (connects) return { operation: 'CONNECT', object, options: () => undefined, dryRun, undo };
  const name = asked || object?.metadata.name || '';
  return {
    operation: 'CREATE',
    object,
    name,
    options: () => writeOptionsObject('CreateOptions', options),
    dryRun,
    undo,
  };
}

function inputOf(call: WriteCall, body: KubeObject | undefined, address: Address, undo: Undo): OperationInput {
  return {
    body,
    namespace: call.namespace,
    name: call.name,
    context: { ...writeContext(call, undo), manager: trackedWrite(call).manager },
    ...address,
    update: (change) => amend(call, change as unknown as Amend) as never,
    updateOther: ({ group, resource, namespace, name }, change) => {
      const other = call.services.resources.findAnyVersion(group, resource);
      if (!other) throw notFound({ group, resource }, name);
      const there = { ...call, resource: other, subresource: '', namespace, name };
      return amend(there, change as unknown as Amend) as never;
    },
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

/** Changes an object as an operation says, which gets a copy of its own each time. Nobody owns the change. */
const amend = async (call: WriteCall, change: Amend): Promise<KubeObject> =>
  (await write(call, amended, change, { asProposed: true })).object;

function* amended(_call: WriteCall, change: Amend, live: KubeObject | undefined): Work<Proposal> {
  return { next: yield* known(change(cloneJson(live as KubeObject))), managed: true };
}
