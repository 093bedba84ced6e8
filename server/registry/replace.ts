import { cloneJson } from '../base/clone.ts';
import { invalidValue } from '../base/field-error.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { badRequest, conflict, invalid } from '../base/status-error.ts';
import type { WriteCall, Written } from './call.ts';
import { checkNamespace } from './namespaces.ts';
import { documentOf } from './patch-document.ts';
import { staleVersion } from './preconditions.ts';
import { parseVersion } from './read.ts';
import { subjectOf } from './resource.ts';
import { write } from './write.ts';

/**
 * PUT: replaces an object, or creates it where its kind allows that (rule `verbs.update.classified`). `sent` is
 * decoded, of the request's version, and belongs to this call. @throws 400, 404, 409, 422
 */
export async function replace(call: WriteCall, sent: KubeObject): Promise<Written> {
  const document = documentOf(call);
  checkPlace(call, sent);
  const creates = call.resource.rules.createOnUpdate === true && !call.subresource;
  const written = await write(
    call,
    async (live) => {
      // An attempt changes its copy, and there may be another attempt.
      const next = cloneJson(sent);
      if (!live) {
        await call.demandCreate();
        return { next: newAt(call, next) };
      }
      checkVersion(call, sent, live);
      return { next: document.merge(live, next) };
    },
    creates ? { creates: 'missing' } : {},
  );
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

/** Readies an object to be made at a name which the request gave. In place. @throws 409 it says that it is another one */
export function newAt(call: WriteCall, next: KubeObject): KubeObject {
  const { uid } = next.metadata;
  if (uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: `;
    throw conflict(subjectOf(call.resource), call.name, why);
  }
  delete next.metadata.resourceVersion;
  delete next.metadata.generateName;
  return next;
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
