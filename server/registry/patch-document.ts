import { cloneJson } from '../base/clone.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { Call, Written } from './call.ts';
import type { ServedVersion } from './resource.ts';
import { scaleToChange, scaleVersion, setReplicas } from './scale.ts';

/** What a write through a path sees of an object: the object itself, or the Scale that stands for it. */
export interface PatchDocument {
  readonly served: ServedVersion;
  show(object: KubeObject): KubeObject;
  /** The answer to a write: what was stored, or the document that stands for it. */
  showWritten(written: Written): Written;
  /** The object with the changed document put back. */
  merge(live: KubeObject, document: KubeObject): KubeObject;
}

export function documentOf(call: Call): PatchDocument {
  const { resource, subresource } = call;
  if (subresource !== 'scale')
    return {
      served: resource.served,
      show: (object) => object,
      showWritten: (written) => written,
      merge: (_live, next) => next,
    };
  return {
    served: scaleVersion(),
    show: (object) => scaleToChange(resource, object),
    showWritten: ({ code, object }) => ({ code, object: scaleToChange(resource, object) }),
    merge(live, scale) {
      const next = cloneJson(live);
      setReplicas(resource, next, scale);
      return next;
    },
  };
}
