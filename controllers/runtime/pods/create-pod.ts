import { isAlreadyExists, isNamespaceTerminating, messageOf } from '../api-error.ts';
import type { Request } from '../controller.ts';
import { type KubeObject, nameOf } from '../kube-object.ts';
import { type Pod, pods } from '../resources.ts';

/** Creates a pod for its owner and tells of it. A name that is taken is no failure: the next run takes another. */
export async function createPod(
  { write, events }: Pick<Request, 'write' | 'events'>,
  owner: KubeObject,
  pod: Pod,
): Promise<void> {
  try {
    await write(pods).create(pod);
  } catch (error) {
    // A namespace that goes away takes the owner with it.
    if (isAlreadyExists(error) || isNamespaceTerminating(error)) return;
    // Without the random name the same failure is the same event.
    const note = `Error creating: ${messageOf(error).replaceAll(nameOf(pod), `${nameOf(owner)}-*`)}`;
    events.record(owner, { type: 'Warning', reason: 'FailedCreate', action: 'Creating', note });
    throw error;
  }
  events.record(owner, { reason: 'SuccessfulCreate', action: 'Creating', note: `Created pod: ${nameOf(pod)}` });
}
