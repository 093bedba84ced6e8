import type { JsonObject } from '../base/json-value.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { badRequest } from '../base/status-error.ts';
import { apply } from '../patch/apply/apply.ts';
import { checkStructure } from '../schema/check.ts';
import type { Decoded } from '../schema/decoded.ts';
import { encodeJson } from '../schema/encode.ts';
import type { WriteCall, Written } from './call.ts';
import { managedScale, setManagers, setManagersOfScaled, trackedScale, trackedWrite } from './managers.ts';
import { checkNamespace } from './namespaces.ts';
import { documentOf } from './patch-document.ts';
import { checkPlace, checkVersion, createsMissing, newAt } from './replace.ts';
import { judgeFaults, named } from './typed.ts';
import { write } from './write.ts';

/**
 * Server-side apply: creates the object where there is none (201), else merges into it (200).
 * @throws 400 a configuration that does not fit, 409 conflicts, and what creates and updates throw
 */
export async function applyPatch(call: WriteCall, decoded: Decoded): Promise<Written> {
  const document = documentOf(call);
  const config = configOf(call, decoded);
  const written = await write(
    call,
    async (live) => {
      if (!live) await call.demandCreate();
      const { next, changed } = await result(call, config, decoded, live);
      if (!live) {
        checkPlace(call, next);
        newAt(call, next);
      } else {
        const { uid: _uid, ...metadata } = next.metadata;
        checkVersion(call, { ...next, metadata }, live);
      }
      return { next, managed: true, emptiesBytes: changed };
    },
    !call.subresource || createsMissing(call) ? { creates: 'missing' } : {},
  );
  return document.showWritten(written);
}

/** The body must be one object of the kind, for this name and namespace. @throws 400 */
function configOf(call: WriteCall, { value }: Decoded): JsonObject {
  const { served } = documentOf(call);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('error decoding YAML: the configuration must be an object');
  }
  const { kind, apiVersion, metadata } = value as unknown as Partial<KubeObject>;
  if (kind !== served.kind || typeof apiVersion !== 'string') {
    throw badRequest(
      `invalid object type: ${JSON.stringify(`${told(apiVersion)}, Kind=${told(kind)}`)} is not ${served.apiVersion}, Kind=${served.kind}`,
    );
  }
  const { name, namespace } = metadata ?? {};
  if (name !== undefined && name !== call.name) {
    throw badRequest(`the name of the object (${told(name)}) does not match the name on the URL (${call.name})`);
  }
  checkNamespace(call, namespace);
  return value as JsonObject;
}

/** What a client sent where a text belongs; nothing is known of its type yet. */
const told = (value: unknown) => (typeof value === 'string' ? value : value === undefined ? '' : encodeJson(value));

const result = (call: WriteCall, config: JsonObject, decoded: Decoded, live: KubeObject | undefined) =>
  live && call.subresource === 'scale'
    ? appliedScale(call, config, decoded, live)
    : applied(call, config, decoded, live);

/** The object with the number that was applied to its Scale. */
async function appliedScale(call: WriteCall, config: JsonObject, decoded: Decoded, live: KubeObject) {
  if (call.resource.custom)
    throw badRequest('the scale of a custom resource cannot be applied to: replace or patch it');
  const scale = managedScale(call, live);
  const { object, managedFields, changed } = await apply({
    ...trackedScale(call),
    live: scale,
    config,
    force: call.options.force,
  });
  judgeFaults(call, decoded.duplicates, call.options.fieldValidation, scale.kind);
  const next = documentOf(call).merge(live, object);
  setManagersOfScaled(call, live, next, managedFields);
  return { next, changed };
}

async function applied(
  call: WriteCall,
  config: JsonObject,
  decoded: Decoded,
  live: KubeObject | undefined,
): Promise<{ next: KubeObject; changed: boolean }> {
  const { resource, options } = call;
  const { served } = resource;
  const { object, managedFields, changed } = await apply({
    ...trackedWrite(call),
    ...(live && { live }),
    config,
    force: options.force,
  });
  judgeFaults(call, decoded.duplicates, options.fieldValidation, served.kind);
  const { value } = checkStructure(object as never, served.structure, { mode: resource.custom ? 'prune' : 'typed' });
  const next = named(value, served);
  setManagers(next, managedFields);
  return { next, changed };
}
