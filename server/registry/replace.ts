import { cloneJson } from '../base/clone.ts';
import { invalidValue } from '../base/field-error.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { badRequest, conflict, invalid, notFound } from '../base/status-error.ts';
import type { Work } from '../base/turns/work.ts';
import type { WriteCall, Written } from './call.ts';
import type { Proposal } from './draft.ts';
import { documentOf, standInOf } from './patch-document.ts';
import { staleVersion } from './preconditions.ts';
import { parseVersion } from './read.ts';
import { subjectOf } from './resource.ts';
import { dropRepeatedOwners } from './steps/system-fields.ts';
import { checkNamespace } from './typed.ts';
import { type Intent, write } from './write.ts';

/**
 * PUT: replaces an object, or creates it where its kind allows that (rule `verbs.update.classified`). `sent` is
 * decoded, of the request's version, and belongs to this call. @throws 400, 404, 409, 422
 */
export async function replace(call: WriteCall, sent: KubeObject, emptied?: ReadonlySet<string>): Promise<Written> {
  const document = documentOf(call);
  checkPlace(call, sent);
  const intent: Intent = createsMissing(call)
    ? { creates: 'missing' }
    : { absent: () => anotherObject(call, sent) ?? notFound(subjectOf(call.resource), call.name) };
  return document.showWritten(await write(call, proposed, { sent, emptied }, intent));
}

interface Given {
  readonly sent: KubeObject;
  readonly emptied: ReadonlySet<string> | undefined;
}

function* proposed(call: WriteCall, { sent, emptied }: Given, live: KubeObject | undefined): Work<Proposal> {
  // An attempt changes its copy, and there may be another attempt.
  const next = cloneJson(sent);
  dropRepeatedOwners(next.metadata, call);
  if (!live) yield call.demandCreate();
  else checkVersion(call, sent, live);
  if (live) return { next: documentOf(call).merge(live, next), emptied };
  delete next.metadata.generateName;
  return { next: newAt(call, next), emptied };
}

/** Whether a write to this path makes what is missing: PUT of some kinds, also through their status. */
export const createsMissing = ({ resource, subresource }: WriteCall): boolean =>
  resource.rules.createOnUpdate === true && (subresource === '' || subresource === 'status');

/** What an object that says which one it is gets where none is. */
const anotherObject = (call: WriteCall, { metadata: { uid } }: KubeObject): Error | undefined =>
  uid ? otherUid(call, uid, '') : undefined;

const otherUid = ({ resource, name }: WriteCall, asked: string, there: string) =>
  conflict(
    subjectOf(resource),
    name,
    `Precondition failed: UID in precondition: ${asked}, UID in object meta: ${there}`,
  );

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
  const refusal = anotherObject(call, next);
  if (refusal) throw refusal;
  // A dry run shows it as it was sent.
  if (!call.options.dryRun) delete next.metadata.resourceVersion;
  return next;
}

/** @throws 409 stale version or another object, 422 where a version is demanded, 400 where it is none */
export function checkVersion(call: WriteCall, { metadata }: KubeObject, live: KubeObject): void {
  const { resource } = call;
  // What stands for an object carries its version or not, whatever the object demands.
  const demanded = resource.rules.unconditionalUpdate === false && !standInOf(call);
  const subject = subjectOf(resource);
  if (metadata.uid && metadata.uid !== live.metadata.uid) {
    throw otherUid(call, metadata.uid, `${live.metadata.uid}`);
  }
  const asked = parseVersion(metadata.resourceVersion);
  if (asked === 0 && demanded) {
    throw invalid(subject, call.name, [invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')]);
  }
  if (asked > 0 && metadata.resourceVersion !== live.metadata.resourceVersion) throw staleVersion(subject, call.name);
}
