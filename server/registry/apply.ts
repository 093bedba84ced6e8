import type { JsonObject } from '../base/json-value.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { badRequest } from '../base/status-error.ts';
import { longBytes, type Work } from '../base/turns/work.ts';
import type { SubresourceDocument } from '../kinds/strategy.ts';
import { apply } from '../patch/apply/apply.ts';
import { checking } from '../schema/check.ts';
import type { Decoded } from '../schema/decoded.ts';
import type { Intent } from './attempt.ts';
import type { WriteCall, Written } from './call.ts';
import type { Proposal } from './draft.ts';
import { documentOf, standInOf } from './patch-document.ts';
import { checkName, checkNamespace, checkPlace, told } from './place.ts';
import { checkVersionAlone } from './preconditions.ts';
import { createsMissing, newAt } from './replace.ts';
import { entriesBehindOf, managedStandIn, setManagers, trackedStandIn, trackedWrite } from './steps/managers.ts';
import { judgeFaults, named } from './typed.ts';
import { write } from './write.ts';

interface Applied extends Proposal {
  readonly changed: boolean;
}

/** A body, and the configuration that it holds. */
interface Sent {
  readonly config: JsonObject;
  readonly decoded: Decoded;
}

/**
 * Server-side apply: creates the object where there is none (201), else merges into it (200).
 * @throws 400 a configuration that does not fit, 409 conflicts, and what creates and updates throw
 */
export async function applyPatch(call: WriteCall, decoded: Decoded): Promise<Written> {
  const document = call.subresource ? documentOf(call) : undefined;
  const intent: Intent = !document || createsMissing(call) ? { creates: 'missing' } : {};
  const written = await write(call, proposed, decoded, intent);
  return document ? document.showWritten(written) : written;
}

function* proposed(call: WriteCall, decoded: Decoded, live: KubeObject | undefined): Work<Proposal> {
  const standIn = live && call.subresource ? standInOf(call) : undefined;
  if (standIn && !standIn.hasOwners) throw noOwners(standIn);
  const sent: Sent = { config: configOf(call, decoded), decoded };
  if (!live) yield call.demandCreate();
  const { next, changed, emptied } = yield* live && standIn
    ? appliedBehind(call, standIn, sent, live)
    : applied(call, sent, live);
  // Conflicts come first.
  checkTarget(call, sent.config);
  if (!live) {
    checkPlace(call, next);
    newAt(call, next);
  } else if (next.metadata.resourceVersion !== live.metadata.resourceVersion) checkVersionAlone(call, next, live);
  // What changes nothing is the object as it was read.
  return { next, managed: true, asRead: !changed, emptiesBytes: changed, ...(changed && { emptied }) };
}

/** The body must be one object of the kind. @throws 400 */
function configOf(call: WriteCall, { value }: Decoded): JsonObject {
  const { served } = call.subresource ? documentOf(call) : call.resource;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('error decoding YAML: the configuration must be an object');
  }
  const { kind, apiVersion } = value as unknown as Partial<KubeObject>;
  if (kind !== served.kind || typeof apiVersion !== 'string') {
    throw badRequest(
      `invalid object type: ${JSON.stringify(`${told(apiVersion)}, Kind=${told(kind)}`)} is not ${served.apiVersion}, Kind=${served.kind}`,
    );
  }
  return value as JsonObject;
}

/** A configuration that says where it belongs is for this name and namespace. @throws 400 */
function checkTarget(call: WriteCall, { metadata }: JsonObject): void {
  const { name, namespace } = (metadata ?? {}) as Partial<KubeObject['metadata']>;
  if (name !== undefined) checkName(call, name);
  checkNamespace(call, namespace);
}

/** Nobody owns what is in the document. */
const noOwners = ({ kind }: SubresourceDocument) =>
  badRequest(`a ${kind} of this kind cannot be applied: replace or patch it`);

/** The object with what was applied to the document that stands for it. */
function* appliedBehind(
  call: WriteCall,
  standIn: SubresourceDocument,
  { config, decoded }: Sent,
  live: KubeObject,
): Work<Applied> {
  const before = managedStandIn(call, standIn, live);
  const { force, fieldValidation } = call.options;
  const booked = { ...trackedStandIn(call), live: before };
  const { object, managedFields, changed } = yield* apply({ ...booked, config, force });
  judgeFaults(call, decoded.duplicates, fieldValidation, standIn.kind);
  const next = documentOf(call).merge(live, object);
  setManagers(next, entriesBehindOf(call, standIn, live, managedFields));
  return { next, changed };
}

function* applied(call: WriteCall, { config, decoded }: Sent, live: KubeObject | undefined): Work<Applied> {
  const { resource, options } = call;
  const { served } = resource;
  const { force } = options;
  const { object, managedFields, changed } = yield* apply({ ...trackedWrite(call), live, config, force });
  yield;
  if (decoded.duplicates.length > 0) judgeFaults(call, decoded.duplicates, options.fieldValidation, served.kind);
  const mode = resource.custom ? 'prune' : 'typed';
  const inTurns = (call.sentBytes ?? longBytes) >= longBytes;
  const { value, emptied } = yield* checking(object as never, served.structure, { mode, inTurns, wrapsNumbers: true });
  const next = named(value, served);
  const problem = resource.rules.unreadable?.(next);
  if (problem) throw badRequest(problem);
  setManagers(next, managedFields);
  return { next, changed, emptied };
}
