import type { KubeObject } from '../../base/kube-object.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { writes } from '../concern.ts';
import type { PluginServices } from '../plugin-services.ts';
import { refusal } from '../refusal.ts';
import { defaultClasses } from './default-class.ts';

interface Claim extends KubeObject {
  spec?: { storageClassName?: string };
}

const markers = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
/** Named the class before there was a field. */
const oldAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Claims that name no class get the default one, and are refused where there are several; the empty name asks for none. */
export const defaultStorageClass = ({ followed }: Pick<PluginServices, 'followed'>): AdmissionPlugin => ({
  name: 'DefaultStorageClass',
  cares: [writes('', 'persistentvolumeclaims', 'CREATE')],
  mutate(attributes) {
    const claim = attributes.object as Claim;
    if (claim.spec?.storageClassName !== undefined || claim.metadata.annotations?.[oldAnnotation] !== undefined) return;
    const [first, ...others] = defaultClasses(followed.storageClasses.in(''), markers);
    if (others.length > 0)
      throw refusal(
        attributes,
        `the claim names no class, and ${others.length + 1} classes are said to be the default`,
      );
    const name = first?.metadata.name;
    if (name !== undefined) claim.spec = { ...claim.spec, storageClassName: name };
  },
});
