import { apiVersionOf, type KubeObject, type ManagedFieldsEntry, parseApiVersion } from '../base/kube-object.ts';
import type { SubresourceDocument } from '../kinds/strategy.ts';
import { type BehindStandIn, entriesAfterStandIn, entriesOfStandIn } from '../patch/apply/stand-in-managers.ts';
import { trackUpdate } from '../patch/apply/track-update.ts';
import type { TrackedWrite } from '../patch/apply/tracked-write.ts';
import type { WriteCall } from './call.ts';
import { setManagers, trackedWrite } from './managers.ts';
import { documentOf } from './patch-document.ts';

/** Who writes to a document that stands for an object (a Scale). */
export function trackedStandIn(call: WriteCall): TrackedWrite {
  const { structure, apiVersion } = documentOf(call).served;
  const { manager, subresource, now } = trackedWrite(call);
  return { structure, manager, apiVersion, subresource, ...(now !== undefined && { now }) };
}

/** The document of a stored object, with those who set what it shows. */
export function managedStandIn(call: WriteCall, standIn: SubresourceDocument, live: KubeObject): KubeObject {
  const document = standIn.show(live);
  setManagers(document, entriesOfStandIn(live.metadata.managedFields, behind(call, standIn)));
  return document;
}

/** Takes over into the object what a write made of the entries of its document. In place. */
export const setManagersBehind = (
  call: WriteCall,
  standIn: SubresourceDocument,
  { live, next }: { readonly live: KubeObject; readonly next: KubeObject },
  ofDocument: readonly ManagedFieldsEntry[],
): void => setManagers(next, entriesAfterStandIn(live.metadata.managedFields, ofDocument, behind(call, standIn)));

/** Books who set what a document shows. In place. */
export async function bookStandIn(
  call: WriteCall,
  standIn: SubresourceDocument,
  live: KubeObject,
  next: KubeObject,
): Promise<void> {
  const before = managedStandIn(call, standIn, live);
  const ofDocument = standIn.hasOwners
    ? await trackUpdate({ ...trackedStandIn(call), live: before, next: standIn.show(next) })
    : [];
  setManagersBehind(call, standIn, { live, next }, ofDocument);
}

const behind = ({ resource, services, subresource }: WriteCall, standIn: SubresourceDocument): BehindStandIn => ({
  apiVersion: resource.served.apiVersion,
  documentVersion: apiVersionOf(standIn.group, standIn.version),
  fieldIn(apiVersion) {
    const { group, version } = parseApiVersion(apiVersion);
    const found = group === resource.group ? services.resources.find(group, version, resource.plural) : undefined;
    return found && (found.rules.subresources?.[subresource]?.document?.field ?? '');
  },
});
