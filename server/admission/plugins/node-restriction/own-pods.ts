import type { KubeObject } from '../../../base/kube-object.ts';
import type { Container, Pod, PodSpec, Volume } from '../../../kinds/core/pod/shape.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { readsSecrets } from '../service-account/secret-references.ts';

/** A stored pod; undefined when there is none. */
export type PodSource = (namespace: string, name: string) => Promise<KubeObject | undefined>;

const mirrorAnnotation = 'kubernetes.io/config.mirror';

const named = (node: string) => `node ${JSON.stringify(node)}`;

const readsConfigMaps = ({ env = [], envFrom = [] }: Container) =>
  env.some(({ valueFrom }) => valueFrom?.configMapKeyRef?.name) ||
  envFrom.some(({ configMapRef }) => configMapRef?.name);

const mountsConfigMap = ({ configMap, projected }: Volume) => {
  const { sources } = (projected ?? {}) as { sources?: readonly { configMap?: unknown }[] };
  return Boolean(configMap || sources?.some((source) => source.configMap));
};

const usesConfigMaps = ({ containers = [], initContainers = [], volumes = [] }: PodSpec) =>
  [...containers, ...initContainers].some(readsConfigMaps) || volumes.some(mountsConfigMap);

/** Pods that a node runs by itself are shown by it, with nothing of the cluster in them. */
export function mirrorPodProblem({ object }: AdmissionAttributes, node: string): string | undefined {
  const { metadata, spec = {} } = object as Pod;
  const who = named(node);
  if (metadata.annotations?.[mirrorAnnotation] === undefined) {
    return `pod does not have "${mirrorAnnotation}" annotation, ${who} can only create mirror pods`;
  }
  if (spec.nodeName !== node) return `${who} can only create pods with spec.nodeName set to itself`;
  const owners = metadata.ownerReferences ?? [];
  const [owner] = owners;
  if (
    owners.length !== 1 ||
    owner?.apiVersion !== 'v1' ||
    owner.kind !== 'Node' ||
    owner.name !== node ||
    !owner.controller
  ) {
    return `${who} can only create pods with an owner reference set to itself`;
  }
  if (owner.blockOwnerDeletion) return `${who} must not set blockOwnerDeletion on an owner reference`;
  if (spec.serviceAccountName) return `${who} can not create pods that reference a service account`;
  if (readsSecrets(spec)) return `${who} can not create pods that reference secrets`;
  if (usesConfigMaps(spec)) return `${who} can not create pods that reference configmaps`;
  const claimed = (spec.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim);
  return claimed ? `${who} can not create pods that reference persistentvolumeclaims` : undefined;
}

const deeds = {
  status: 'can only update pod status for pods with spec.nodeName set to itself',
  eviction: 'can only evict pods with spec.nodeName set to itself',
  '': 'can only delete pods with spec.nodeName set to itself',
} as const;

/** What is done to a pod that is there: only to the node's own, and without changing its labels. */
export async function podOwnerProblem(
  attributes: AdmissionAttributes,
  node: string,
  podOf: PodSource,
): Promise<string | undefined> {
  const { namespace, name, subresource, object, oldObject } = attributes;
  const pod = (oldObject ?? (await podOf(namespace, name))) as Pod | undefined;
  // What is not there is told of by the verb.
  if (!pod) return undefined;
  if (pod.spec?.nodeName !== node) return `${named(node)} ${deeds[subresource as keyof typeof deeds]}`;
  if (subresource !== 'status') return undefined;
  const labels = (of: Pod | undefined) => JSON.stringify(Object.entries(of?.metadata.labels ?? {}).sort());
  return labels(object as Pod) === labels(pod) ? undefined : `${named(node)} cannot update labels through pod status`;
}
