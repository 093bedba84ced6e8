import { cloneJson } from '../../base/clone.ts';
import type { Json, KubeObject } from '../../base/kube-object.ts';
import { fillWritten } from '../../schema/zero-values.ts';
import type { Draft } from '../draft.ts';
import { checkNamespace } from '../place.ts';
import type { Resource } from '../resource.ts';
import { fillDefaults, fillSystemFields, giveIdentity, keepSystemFields, tidyMetadata } from './system-fields.ts';

/** The kind's own preparation; what a write through this path may not change is as it was. */
export function prepare(draft: Draft): void {
  if (draft.stored) prepareUpdate(draft, draft.stored);
  else prepareCreate(draft);
  if (draft.lacksDefaults) fillDefaults(draft);
}

function prepareCreate(draft: Draft): void {
  const { call, next, context } = draft;
  const { resource } = call;
  if (draft.lacksDefaults) {
    // Admission may have changed what belongs to the server.
    checkNamespace(call, next.metadata.namespace);
    fillSystemFields(next, call);
  }
  giveIdentity(next, call);
  tidyMetadata(next.metadata, call);
  if (resource.splitsStatus && !resource.rules.subresources?.['status']?.setByCreate) {
    dropStatus(resource, next);
    draft.lacksDefaults = true;
  }
  if (draft.lacksDefaults) fillDefaults(draft);
  resource.rules.withEmptyLists?.(next);
  resource.rules.prepareCreate?.(next, context);
}

/** What was sent as status does not count; the parts of it that are always there are empty. In place. */
function dropStatus({ storage, custom }: Resource, object: KubeObject): void {
  delete object['status'];
  if (!custom) fillWritten(object as unknown as { [key: string]: Json }, storage.structure);
}

function prepareUpdate(draft: Draft, stored: KubeObject): void {
  const { call, next } = draft;
  if (draft.lacksDefaults) {
    checkNamespace(call, next.metadata.namespace);
    keepSystemFields(next, stored);
  }
  tidyMetadata(next.metadata, call);
  if (draft.lacksDefaults) fillDefaults(draft);
  const { resource, subresource } = call;
  if (!subresource) {
    if (resource.splitsStatus && !setByUpdate(resource)) keepMember(next, stored, 'status');
    resource.rules.withEmptyLists?.(next);
    resource.rules.prepareUpdate?.(next, stored, draft.context);
    return;
  }
  // What comes back from the stored object may lack defaults, which are filled in in place: so it must be a copy.
  if (!resource.custom) draft.lacksDefaults = true;
  separate(draft, cloneJson(stored));
}

const setByUpdate = ({ rules }: Resource): boolean => rules.subresources?.['status']?.setByUpdate === true;

/** Takes over from the stored object what a write through a subresource may not change. */
function separate({ call, next, context }: Draft, stored: KubeObject): void {
  const { resource, subresource } = call;
  const own = resource.rules.subresources?.[subresource];
  own?.prepareUpdate?.(next, stored, context);
  // What a document that stands for the object may change was put in by itself.
  if (own?.prepareUpdate || own?.document) return;
  for (const member of Object.keys({ ...stored, ...next })) {
    if (member !== 'status' && member !== 'metadata') keepMember(next, stored, member);
  }
}

function keepMember(next: KubeObject, stored: KubeObject, member: string): void {
  if (stored[member] === undefined) delete next[member];
  else next[member] = stored[member];
}
