import type { KubeObject } from '../base/kube-object.ts';
import type { Resource } from './resource.ts';

/** The object in the storage version. Without a conversion it is the same object. */
export function toStorage(resource: Resource, object: KubeObject): KubeObject | Promise<KubeObject> {
  return resource.served.conversion ? resource.served.conversion.toStorage(object) : object;
}

/** The object in the request's version. Without a conversion it is the same object. */
export function fromStorage(resource: Resource, object: KubeObject): KubeObject | Promise<KubeObject> {
  return resource.served.conversion ? resource.served.conversion.fromStorage(object) : object;
}
