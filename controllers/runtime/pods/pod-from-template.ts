import { type KubeObject, managedBy, nameOf, namespaceOf } from '../kube-object.ts';
import { apiVersionOf, type Pod, type Resource, type StatefulSet } from '../resources.ts';

export type PodTemplate = NonNullable<StatefulSet['spec']>['template'];

/** The longest name of a pod: it is its host name as well. */
const longestName = 63;

/** `web-x7b2k`: the owner's name, cut short if need be, and the suffix. */
export const podName = (owner: KubeObject, suffix: string): string =>
  `${nameOf(owner)
    .slice(0, longestName - 1 - suffix.length)
    .replace(/[-.]+$/, '')}-${suffix}`;

/** A pod made from a template for the owner that manages it. */
export function podFromTemplate(
  resource: Resource,
  owner: KubeObject,
  template: PodTemplate | undefined,
  name: string,
): Pod {
  const { labels, annotations, finalizers } = template?.metadata ?? {};
  return {
    metadata: {
      name,
      namespace: namespaceOf(owner),
      labels: { ...labels },
      annotations: { ...annotations },
      ...(finalizers && { finalizers: [...finalizers] }),
      ownerReferences: [managedBy(owner, apiVersionOf(resource), resource.kind)],
    },
    spec: { ...template?.spec, containers: template?.spec?.containers ?? [] },
  };
}
