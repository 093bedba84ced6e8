import type { KubeObject } from '../base/kube-object.ts';
import { badRequest, conflict, StatusError } from '../base/status-error.ts';
import { apply } from '../patch/apply/apply.ts';
import type { JsonObject } from '../patch/json-values.ts';
import { checkStructure } from '../schema/check.ts';
import type { Decoded } from '../schema/decoded.ts';
import type { WriteCall, Written } from './call.ts';
import { create } from './create.ts';
import { setManagers, trackedWrite } from './managers.ts';
import { documentOf, type PatchDocument } from './patch-document.ts';
import { checkNamespace } from './replace.ts';
import { keyOf, subjectOf } from './resource.ts';
import { judgeFaults, named } from './typed.ts';
import { update } from './update.ts';

/**
 * Server-side apply: creates the object where there is none (201), else merges into it (200).
 * @throws 400 a configuration that does not fit, 409 conflicts, and what creates and updates throw
 */
export async function applyPatch(call: WriteCall, decoded: Decoded): Promise<Written> {
  const document = documentOf(call);
  const config = configOf(call, decoded, document);
  const exists = await call.services.store.get(keyOf(call.resource, call.namespace, call.name));
  if (!exists && !call.subresource) {
    try {
      return await createApplied(call, config, decoded);
    } catch (error) {
      if (!(error instanceof StatusError && error.status.reason === 'AlreadyExists')) throw error;
    }
  }
  const written = await update(call, async (live) => {
    const next = await applied(call, config, decoded, document, live);
    return { next: document.merge(live, next), managed: call.subresource !== 'scale' };
  });
  return { ...written, object: document.show(written.object) };
}

/** The body must be one object of the kind, for this name and namespace. @throws 400 */
function configOf(call: WriteCall, { value }: Decoded, { served }: PatchDocument): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('error decoding YAML: the configuration must be an object');
  }
  const { kind, apiVersion, metadata } = value as unknown as Partial<KubeObject>;
  if (kind !== served.kind || typeof apiVersion !== 'string') {
    throw badRequest(`invalid object type: ${JSON.stringify(`${apiVersion ?? ''}, Kind=${kind ?? ''}`)} is not ${served.apiVersion}, Kind=${served.kind}`);
  }
  const { name, namespace } = metadata ?? {};
  if (name !== undefined && name !== call.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`);
  }
  checkNamespace(call, namespace);
  return value as JsonObject;
}

async function applied(
  call: WriteCall,
  config: JsonObject,
  decoded: Decoded,
  { served, show }: PatchDocument,
  live: KubeObject | undefined,
): Promise<KubeObject> {
  const { object, managedFields } = await apply({
    ...trackedWrite(call),
    structure: served.structure,
    apiVersion: served.apiVersion,
    ...(live && { live: show(live) }),
    config,
    force: call.options.force,
  });
  judgeFaults(call, decoded.duplicates, call.options.fieldValidation, served.kind);
  const custom = call.resource.custom && served.kind === call.resource.served.kind;
  const { value } = checkStructure(object as never, served.structure, { mode: custom ? 'prune' : 'typed' });
  const next = named(value, served);
  setManagers(next, managedFields);
  return next;
}

async function createApplied(call: WriteCall, config: JsonObject, decoded: Decoded): Promise<Written> {
  const object = await applied(call, config, decoded, documentOf(call), undefined);
  object.metadata.name = call.name;
  if (object.metadata.uid) {
    throw conflict(subjectOf(call.resource), call.name, `Precondition failed: UID in precondition: ${object.metadata.uid}, UID in object meta: `);
  }
  delete object.metadata.resourceVersion;
  return create(call, object, { managed: true });
}
