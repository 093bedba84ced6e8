import type { KubeObject } from '../../base/kube-object.ts';
import { storageClassOf } from '../../kinds/core/persistent-volume-claim.ts';
import type { Quantities } from '../../kinds/core/pod/shape.ts';
import { compareAmounts } from '../../kinds/quantity-text.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { writes } from '../concern.ts';
import type { PluginServices, StorageClass } from '../plugin-services.ts';
import { refusal } from '../refusal.ts';

interface Claim extends KubeObject {
  spec?: { resources?: { requests?: Quantities }; storageClassName?: string };
  status?: { phase?: string };
}

const sizeOf = ({ spec }: Claim) => spec?.resources?.requests?.storage ?? '0';

/** Claims only grow when they are bound and their class allows it. */
export const persistentVolumeClaimResize = ({
  followed,
  lookup,
}: Pick<PluginServices, 'followed' | 'lookup'>): AdmissionPlugin => ({
  name: 'PersistentVolumeClaimResize',
  cares: [writes('', 'persistentvolumeclaims', 'UPDATE')],
  async validate(attributes) {
    const next = attributes.object as Claim;
    const previous = attributes.oldObject as Claim;
    if (compareAmounts(sizeOf(next), sizeOf(previous)) <= 0) return;
    if (previous.status?.phase !== 'Bound') {
      throw refusal(attributes, 'Only bound persistent volume claims can be expanded');
    }
    const name = storageClassOf(previous);
    const found: StorageClass | undefined =
      name === ''
        ? undefined
        : (followed.storageClasses.get('', name) ?? (await lookup.get('storage.k8s.io', 'storageclasses', '', name)));
    if (found?.allowVolumeExpansion) return;
    throw refusal(
      attributes,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  },
});
