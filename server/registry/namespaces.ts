import { dnsLabel } from '../base/names.ts';
import { badRequest, forbidden, notFound } from '../base/status-error.ts';
import type { Call } from './call.ts';
import { subjectOf } from './resource.ts';

/** Objects are only created in namespaces that exist and are not being deleted. @throws 403, 404 */
export async function demandNamespace(call: Call, name: string): Promise<void> {
  const { namespace, resource, services } = call;
  // A malformed namespace is left to validation, which names the field.
  if (!namespace || dnsLabel(namespace).length > 0) return;
  const found = await services.lookup.get('', 'namespaces', '', namespace);
  if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  if (!found.metadata.deletionTimestamp) return;
  const message = `namespace ${namespace} is being terminated`;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  throw forbidden(subjectOf(resource), name, why, [
    { reason: 'NamespaceTerminating', message, field: 'metadata.namespace' },
  ]);
}

/** A body that names a namespace names that of its path. @throws 400 */
export function checkNamespace(call: { readonly namespace: string }, namespace: string | undefined): void {
  // Under cluster-scoped kinds a namespace means nothing.
  if (!namespace || !call.namespace || namespace === call.namespace) return;
  throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
}
