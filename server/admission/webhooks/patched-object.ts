import type { Json, KubeObject } from '../../base/kube-object.ts';
import { internalError, isFaultOfRequest, StatusError } from '../../base/status-error.ts';
import { carryOut, type Work } from '../../base/turns/work.ts';
import { readManagers } from '../../patch/apply/managers.ts';
import { applyJsonPatch, type JsonPatchOperation, parseJsonPatch } from '../../patch/json-patch.ts';
import { PatchError } from '../../patch/patch-error.ts';
import { decodeJsonInTurns } from '../../schema/json.ts';
import type { WebhookAnswer } from './answer.ts';
import type { RequestView } from './versions.ts';
import { CallFailedError } from './webhook-errors.ts';

/** Puts the managers back when a webhook left some that cannot be read; answers whether it could. In place. */
export function keepsReadableManagers(next: KubeObject, previous: KubeObject): boolean {
  if (!next.metadata.managedFields || readManagers(next.metadata.managedFields)) return true;
  const { managedFields } = previous.metadata;
  if (managedFields) next.metadata.managedFields = managedFields;
  else delete next.metadata.managedFields;
  return false;
}

/** What a webhook wants to change. @throws 500 the bytes are no JSON patch */
export async function operationsOf({ patch }: WebhookAnswer): Promise<readonly JsonPatchOperation[]> {
  if (patch.length === 0) return [];
  try {
    return parseJsonPatch((await decodeJsonInTurns(patch)).value).operations;
  } catch (error) {
    throw error instanceof StatusError || error instanceof PatchError ? internalError(error.message) : error;
  }
}

/** The object with the patch. @throws 500 the patch does not fit, whatever the failurePolicy; CallFailedError it is of an unknown type */
export async function patched(
  webhook: string,
  { patchType }: WebhookAnswer,
  operations: readonly JsonPatchOperation[],
  object: KubeObject | undefined,
  view: RequestView,
): Promise<KubeObject> {
  if (!object) {
    const which = `admission webhook ${JSON.stringify(webhook)}`;
    throw internalError(`${which} attempted to modify the object, which is not supported for this operation`);
  }
  if (patchType !== 'JSONPatch')
    throw new CallFailedError(webhook, `unsupported patch type ${JSON.stringify(patchType)}`);
  const next = await carryOut(apply(object as unknown as Json, operations));
  const { kind, apiVersion } = object;
  try {
    return await view.accept(sameKind(next, kind, apiVersion));
  } catch (error) {
    throw isFaultOfRequest(error) ? internalError(error.message) : error;
  }
}

/** @throws 500 an operation does not apply; the message names the first such */
function* apply(object: Json, operations: readonly JsonPatchOperation[]): Work<Json> {
  try {
    return yield* applyJsonPatch(object, operations);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const at = yield* firstFailing(object, operations);
    const { op = '', path = '' } = operations[at] ?? {};
    throw internalError(`operation ${at} of the patch, ${op} ${JSON.stringify(path)}, does not apply`);
  }
}

/** Halves the range again and again, since patches may be long. */
function* firstFailing(object: Json, operations: readonly JsonPatchOperation[]): Work<number> {
  let [fine, broken] = [0, operations.length];
  while (broken - fine > 1) {
    const middle = (fine + broken) >> 1;
    if (yield* applies(object, operations.slice(0, middle))) fine = middle;
    else broken = middle;
  }
  return fine;
}

function* applies(object: Json, operations: readonly JsonPatchOperation[]): Work<boolean> {
  try {
    yield* applyJsonPatch(object, operations);
    return true;
  } catch (error) {
    if (error instanceof PatchError) return false;
    throw error;
  }
}

/** @throws 500 the patch made another kind of the object */
function sameKind(value: Json, kind: string, apiVersion: string): Json {
  const type = (value ?? {}) as { kind?: Json; apiVersion?: Json };
  if ((type.kind ?? kind) === kind && (type.apiVersion ?? apiVersion) === apiVersion) return value;
  throw internalError(
    `the patch makes ${String(type.apiVersion)}, Kind=${String(type.kind)} of ${apiVersion}, Kind=${kind}`,
  );
}
