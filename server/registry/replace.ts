import { cloneJson } from '../base/clone.ts';
import { invalidValue } from '../base/field-error.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { badRequest, conflict, invalid } from '../base/status-error.ts';
import type { WriteCall, Written } from './call.ts';
import { create } from './create.ts';
import { checkNamespace } from './namespaces.ts';
import { documentOf } from './patch-document.ts';
import { staleVersion } from './preconditions.ts';
import { parseVersion } from './read.ts';
import { keyOf, subjectOf } from './resource.ts';
import { update } from './update.ts';

/**
 * PUT: replaces an object, or creates it where its kind allows that (rule `verbs.update.classified`). `sent` is
 * decoded, of the request's version, and belongs to this call. @throws 400, 404, 409, 422
 */
export async function replace(call: WriteCall, sent: KubeObject): Promise<Written> {
  const { resource, services } = call;
  const document = documentOf(call);
  checkPlace(call, sent);
  const creates = resource.rules.createOnUpdate && !call.subresource;
  if (creates && !(await services.store.get(keyOf(resource, call.namespace, call.name)))) {
    await call.demandCreate();
    return createAt(call, sent);
  }
  const written = await update(call, (live) => {
    checkVersion(call, sent, live);
    // An attempt changes its copy, and there may be another attempt.
    return { next: document.merge(live, cloneJson(sent)) };
  });
  return document.showWritten(written);
}

/** Name and namespace of the body must be those of the path; the body may leave out the namespace. @throws 400 */
export function checkPlace(call: WriteCall, { metadata }: KubeObject): void {
  const { name, namespace } = metadata;
  if (!name)
    throw badRequest(`the name of the object (${call.name} based on URL) was undeterminable: name must be provided`);
  if (name !== call.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`);
  }
  checkNamespace(call, namespace);
}

/** Creates at a name that the request gave. @throws 409 when the object says that it is another one */
export async function createAt(
  call: WriteCall,
  sent: KubeObject,
  how: { readonly managed?: boolean } = {},
): Promise<Written> {
  const { uid } = sent.metadata;
  if (uid) {
    throw conflict(
      subjectOf(call.resource),
      call.name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: `,
    );
  }
  delete sent.metadata.resourceVersion;
  delete sent.metadata.generateName;
  return create(call, sent, how);
}

/** @throws 409 stale version or another object, 422 where a version is demanded, 400 where it is none */
export function checkVersion(
  call: WriteCall,
  { metadata }: KubeObject,
  live: KubeObject,
  { demanded = call.resource.rules.unconditionalUpdate === false }: { readonly demanded?: boolean } = {},
): void {
  const { resource } = call;
  const subject = subjectOf(resource);
  const asked = parseVersion(metadata.resourceVersion);
  if (asked === 0 && demanded) {
    throw invalid(subject, call.name, [invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')]);
  }
  if (metadata.uid && metadata.uid !== live.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${live.metadata.uid}`;
    throw conflict(subject, call.name, why);
  }
  if (asked > 0 && metadata.resourceVersion !== live.metadata.resourceVersion) throw staleVersion(subject, call.name);
}
