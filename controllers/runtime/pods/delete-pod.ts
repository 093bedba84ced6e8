import type { Request } from '../controller.ts';
import { type KubeObject, nameOf } from '../kube-object.ts';
import { type Pod, pods } from '../resources.ts';

/** Deletes a pod of its owner and tells of it. */
export async function deletePod(
  { write, events }: Pick<Request, 'write' | 'events'>,
  owner: KubeObject,
  pod: Pod,
): Promise<void> {
  await write(pods).delete(pod);
  events.record(owner, { reason: 'SuccessfulDelete', action: 'Deleting', note: `Deleted pod: ${nameOf(pod)}` });
}
