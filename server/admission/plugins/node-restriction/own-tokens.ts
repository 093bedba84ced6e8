import type { KubeObject } from '../../../base/kube-object.ts';
import type { Pod } from '../../../kinds/core/pod/shape.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import type { StoredObjects } from './own-pods.ts';

interface TokenRequest extends KubeObject {
  spec?: { boundObjectRef?: { apiVersion?: string; kind?: string; name?: string; uid?: string } };
}

/** Tokens are given to a node for the pods on it alone, and last no longer than those. */
export async function tokenProblem(
  attributes: AdmissionAttributes,
  node: string,
  stored: StoredObjects,
): Promise<string | undefined> {
  const { operation, subresource, namespace } = attributes;
  if (operation !== 'CREATE' || subresource !== 'token') return undefined;
  const bound = (attributes.object as TokenRequest | undefined)?.spec?.boundObjectRef;
  if (bound?.apiVersion !== 'v1' || bound.kind !== 'Pod' || !bound.name)
    return 'node requested token not bound to a pod';
  if (!bound.uid) return 'node requested token with a pod binding without a uid';
  const pod = (await stored.pod(namespace, bound.name)) as Pod | undefined;
  if (!pod) return `node requested token bound to a pod that does not exist: ${bound.name}`;
  if (pod.metadata.uid !== bound.uid) {
    return `the UID in the bound object reference (${bound.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  }
  return pod.spec?.nodeName === node ? undefined : 'node requested token bound to a pod scheduled on a different node';
}
