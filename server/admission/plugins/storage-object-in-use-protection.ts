import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';

/** A controller takes them off once nobody uses the object. */
const finalizers: ReadonlyMap<string, string> = new Map([
  ['persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['persistentvolumes', 'kubernetes.io/pv-protection'],
]);

const finalizerFor = ({ resource: { group, resource } }: AdmissionAttributes) =>
  group === '' ? finalizers.get(resource) : undefined;

/** New claims and volumes are not removed while they are in use. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  handles: (attributes) =>
    attributes.operation === 'CREATE' && attributes.subresource === '' && finalizerFor(attributes) !== undefined,
  mutate(attributes) {
    const metadata = attributes.object?.metadata;
    const finalizer = finalizerFor(attributes);
    if (!metadata || !finalizer || metadata.finalizers?.includes(finalizer)) return;
    metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
  },
};
