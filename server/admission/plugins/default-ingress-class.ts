import type { KubeObject } from '../../base/kube-object.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { writes } from '../concern.ts';
import type { PluginServices } from '../plugin-services.ts';
import { defaultClasses } from './default-class.ts';

interface Ingress extends KubeObject {
  spec?: { ingressClassName?: string };
}

const markers = ['ingressclass.kubernetes.io/is-default-class'];
/** Named the class before there was a field. */
const oldAnnotation = 'kubernetes.io/ingress.class';

/** Of equally old ones the first by name. */
function newest(classes: readonly KubeObject[]): KubeObject | undefined {
  const time = ({ metadata }: KubeObject) => metadata.creationTimestamp ?? '';
  let found: KubeObject | undefined;
  for (const each of classes) if (!found || time(each) > time(found)) found = each;
  return found;
}

/** Ingresses that name no class get the default one: of several the newest. */
export const defaultIngressClass = ({ followed }: Pick<PluginServices, 'followed'>): AdmissionPlugin => ({
  name: 'DefaultIngressClass',
  cares: [writes('networking.k8s.io', 'ingresses', 'CREATE')],
  mutate({ object }) {
    const ingress = object as Ingress;
    if (ingress.spec?.ingressClassName !== undefined || ingress.metadata.annotations?.[oldAnnotation] !== undefined)
      return;
    const name = newest(defaultClasses(followed.ingressClasses.in(''), markers))?.metadata.name;
    if (name !== undefined) ingress.spec = { ...ingress.spec, ingressClassName: name };
  },
});
