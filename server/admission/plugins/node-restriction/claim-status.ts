import { deepEqual } from '../../../base/deep-equal.ts';
import type { KubeObject } from '../../../base/kube-object.ts';
import type { AdmissionAttributes } from '../../admission.ts';

type Claim = KubeObject & { status?: { capacity?: unknown; conditions?: unknown } };

/** All of a claim that is not a node's to tell. */
function others({ metadata, status = {}, ...rest }: Claim) {
  const { managedFields: _fields, resourceVersion: _at, ...kept } = metadata;
  const { capacity: _size, conditions: _state, ...told } = status;
  return { ...rest, metadata: kept, status: told };
}

/** A node grows what its pods claim: it tells how large a claim is now and how that came, and nothing else of it. */
export function claimProblem(
  { operation, subresource, object, oldObject }: AdmissionAttributes,
  node: string,
): string | undefined {
  if (subresource !== 'status' || operation !== 'UPDATE') return 'may only update PVC status';
  if (!object || !oldObject || deepEqual(others(object as Claim), others(oldObject as Claim))) return undefined;
  return `node ${JSON.stringify(node)} tells of claims nothing but status.capacity and status.conditions`;
}
