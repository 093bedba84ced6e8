import { badRequest } from '../base/status-error.ts';

/** A body that names a namespace names that of its path. @throws 400 */
export function checkNamespace(call: { readonly namespace: string }, namespace: string | undefined): void {
  // Under cluster-scoped kinds a namespace means nothing.
  if (!namespace || !call.namespace || namespace === call.namespace) return;
  throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
}
