import type { KubeObject } from '../base/kube-object.ts';
import { conflict, type Subject } from '../base/status-error.ts';

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
