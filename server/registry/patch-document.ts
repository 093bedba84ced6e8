import { perObject } from '../base/caches/memo.ts';
import { cloneJson } from '../base/clone.ts';
import { apiVersionOf, type KubeObject } from '../base/kube-object.ts';
import type { SubresourceDocument } from '../kinds/strategy.ts';
import { structureOfKind } from '../schema/load.ts';
import type { StructType } from '../schema/structure.ts';
import type { Call, Written } from './call.ts';
import type { Resource, ServedVersion } from './resource.ts';

/** What a write through a path sees of an object: the object itself, or the document that stands for it. */
export interface PatchDocument {
  readonly served: ServedVersion;
  /** A custom object itself: its body keeps more and less than a typed one. */
  readonly custom: boolean;
  show(object: KubeObject): KubeObject;
  /** What a patch starts from. */
  start(object: KubeObject): KubeObject;
  /** The answer to a write: what was stored, or the document that stands for it. */
  showWritten(written: Written): Written;
  /** The object with the changed document put back. */
  merge(live: KubeObject, document: KubeObject): KubeObject;
}

/** The document of a path, where another object stands for the one that is stored. */
export const standInOf = ({ resource, subresource }: Call): SubresourceDocument | undefined =>
  subresource ? resource.rules.subresources?.[subresource]?.document : undefined;

export const documentOf = (call: Call): PatchDocument => {
  const standIn = standInOf(call);
  return standIn ? documentFor(standIn) : itself(call.resource);
};

const itself = perObject(
  (resource: Resource): PatchDocument => ({
    served: resource.served,
    custom: resource.custom !== undefined,
    show: (object) => object,
    start: (object) => object,
    showWritten: (written) => written,
    merge: (_live, next) => next,
  }),
);

const documentFor = (standIn: SubresourceDocument): PatchDocument => ({
  served: servedAs(standIn),
  custom: false,
  show: standIn.show,
  start: standIn.start ?? standIn.show,
  showWritten: ({ code, object }) => ({ code, object: standIn.show(object) }),
  merge(live, document) {
    const next = cloneJson(live);
    standIn.put(next, document);
    return next;
  },
});

const servedAs = perObject(
  ({ group, version, kind }: SubresourceDocument): ServedVersion => ({
    group,
    version,
    kind,
    apiVersion: apiVersionOf(group, version),
    structure: structureOfKind(group, version, kind) as StructType,
  }),
);
