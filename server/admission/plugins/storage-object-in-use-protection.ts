import type { AdmissionPlugin } from '../admission.ts';
import { writes } from '../concern.ts';

/** A controller takes them off once nobody uses the object. */
const finalizers: ReadonlyMap<string, string> = new Map([
  ['persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['persistentvolumes', 'kubernetes.io/pv-protection'],
]);

/** New claims and volumes are not removed while they are in use. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  cares: [...finalizers.keys()].map((resource) => writes('', resource, 'CREATE')),
  mutate({ object, resource: { resource } }) {
    const metadata = object?.metadata;
    const finalizer = finalizers.get(resource);
    if (!metadata || !finalizer || metadata.finalizers?.includes(finalizer)) return;
    metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
  },
};
