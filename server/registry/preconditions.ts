import { invalidValue } from '../base/field-error.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { conflict, invalid, type Subject } from '../base/status-error.ts';
import type { WriteCall } from './call.ts';
import { standInOf } from './patch-document.ts';
import { parseVersion } from './read.ts';
import { subjectOf } from './resource.ts';

/** Checks DeleteOptions.preconditions against the newest version. @throws 409 */
export function checkPreconditions(
  subject: Subject,
  object: KubeObject,
  { uid, resourceVersion }: { readonly uid?: string; readonly resourceVersion?: string },
): void {
  const { metadata } = object;
  const refuse = (what: string, wanted: string, found: string | undefined) => {
    const why = `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). The object might have been deleted and then recreated`;
    throw conflict(subject, metadata.name ?? '', why);
  };
  if (uid !== undefined && uid !== metadata.uid) refuse('UID', uid, metadata.uid);
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    refuse('ResourceVersion', resourceVersion, metadata.resourceVersion);
  }
}

export const staleVersion = (subject: Subject, name: string) =>
  conflict(
    subject,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );

/** What an object that says which one it is gets where none is. */
export const anotherObject = (call: WriteCall, { metadata: { uid } }: KubeObject): Error | undefined =>
  uid ? otherUid(call, uid, '') : undefined;

const otherUid = ({ resource, name }: WriteCall, asked: string, there: string) =>
  conflict(
    subjectOf(resource),
    name,
    `Precondition failed: UID in precondition: ${asked}, UID in object meta: ${there}`,
  );

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

/** The version that is expected, if one is; another uid says nothing here. @throws as `checkVersion` */
export function checkVersionAlone(call: WriteCall, { metadata, ...object }: KubeObject, live: KubeObject): void {
  const { uid: _, ...rest } = metadata;
  checkVersion(call, { ...object, metadata: rest } as KubeObject, live);
}
