import type { KubeObject } from '../base/kube-object.ts';
import type { WriteCall, Written } from './call.ts';
import { write } from './write.ts';

/**
 * POST to a collection. `sent` is decoded, of the request's version, checked against its structure, and belongs to this
 * call. @throws 403 refused, 404 no such namespace, 409 exists, 422 invalid
 */
export const create = (call: WriteCall, sent: KubeObject): Promise<Written> =>
  write(call, () => ({ next: sent }), { creates: 'always' });
