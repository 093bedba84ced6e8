import type { KubeObject } from '../../../base/kube-object.ts';
import { notFound } from '../../../base/status-error.ts';
import { mirrorAnnotation } from '../../../kinds/core/pod/annotations.ts';
import type { Container, Pod, PodSpec, Volume } from '../../../kinds/core/pod/shape.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { readsSecrets } from '../service-account/secret-references.ts';

/** What is stored; undefined when there is none. */
export interface StoredObjects {
  pod(namespace: string, name: string): Promise<KubeObject | undefined>;
  node(name: string): Promise<KubeObject | undefined>;
}

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

/** Of whom a node's own pod is: of the node, as it is registered now. @throws 404 it is not */
async function ownerProblem({ metadata }: Pod, node: string, stored: StoredObjects): Promise<string | undefined> {
  const who = named(node);
  const [owner, ...others] = metadata.ownerReferences ?? [];
  if (others.length > 0) return `${who} creates pods that it owns alone, and this one has ${others.length + 1} owners`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    return `${who} can only create pods with an owner reference set to itself`;
  }
  if (!owner.controller) return `${who} creates pods of which it is the controller`;
  if (owner.blockOwnerDeletion) return `${who} must not set blockOwnerDeletion on an owner reference`;
  const registered = await stored.node(node);
  if (!registered) throw notFound({ group: '', resource: 'nodes' }, node);
  const { uid = '' } = registered.metadata;
  return owner.uid === uid ? undefined : `the owner has the uid ${owner.uid}, and ${who} has ${uid}`;
}

function referenceProblem(spec: PodSpec): string | undefined {
  if (spec.serviceAccountName) return 'a service account';
  if (readsSecrets(spec)) return 'secrets';
  if (usesConfigMaps(spec)) return 'configmaps';
  return (spec.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim)
    ? 'persistentvolumeclaims'
    : undefined;
}

/** Pods that a node runs by itself are shown by it, with nothing of the cluster in them. */
export async function mirrorPodProblem(
  { object }: AdmissionAttributes,
  node: string,
  stored: StoredObjects,
): Promise<string | undefined> {
  const pod = object as Pod;
  const { metadata, spec = {} } = pod;
  const who = named(node);
  if (metadata.annotations?.[mirrorAnnotation] === undefined) {
    return `pod does not have "${mirrorAnnotation}" annotation, ${who} can only create mirror pods`;
  }
  if (spec.nodeName !== node) return `${who} can only create pods with spec.nodeName set to itself`;
  const ofOwner = await ownerProblem(pod, node, stored);
  if (ofOwner) return ofOwner;
  const what = referenceProblem(spec);
  return what && `${who} can not create pods that reference ${what}`;
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
  stored: StoredObjects,
): Promise<string | undefined> {
  const { namespace, name, subresource, object, oldObject } = attributes;
  const pod = (oldObject ?? (await stored.pod(namespace, name))) as Pod | undefined;
  // What is not there is told of by the verb.
  if (!pod) return undefined;
  if (pod.spec?.nodeName !== node) return `${named(node)} ${deeds[subresource as keyof typeof deeds]}`;
  if (subresource !== 'status') return undefined;
  const labels = (of: Pod | undefined) => JSON.stringify(Object.entries(of?.metadata.labels ?? {}).sort());
  return labels(object as Pod) === labels(pod) ? undefined : `${named(node)} cannot update labels through pod status`;
}
