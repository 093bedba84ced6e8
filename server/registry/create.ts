import { cloneJson } from '../base/clone.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { Work } from '../base/turns/work.ts';
import { nowhere } from '../schema/checked.ts';
import type { WriteCall, Written } from './call.ts';
import type { Proposal } from './draft.ts';
import { write } from './write.ts';

/**
 * POST to a collection. `sent` is decoded, of the request's version, checked against its structure, and belongs to this
 * call. @throws 403 refused, 404 no such namespace, 409 exists, 422 invalid
 */
export const create = (call: WriteCall, sent: KubeObject, emptied = nowhere): Promise<Written> =>
  write(call, asSent, { next: sent, emptied }, { creates: 'always' });

// biome-ignore lint/correctness/useYield: there is nothing to wait for
function* asSent({ services }: WriteCall, sent: Proposal): Work<Proposal> {
  // Where others write too, an attempt may find taken what it picked: then there is another one, with what was sent.
  return services.store.isShared ? { ...sent, next: cloneJson(sent.next) } : sent;
}
