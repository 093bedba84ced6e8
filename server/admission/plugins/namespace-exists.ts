import { notFound } from '../../base/status-error.ts';
import type { AdmissionPlugin } from '../admission.ts';
import type { PluginServices } from '../plugin-services.ts';

const namespaces = { group: '', resource: 'namespaces' };

/** What is in a namespace is only written while the namespace is there; NamespaceLifecycle knows more. */
export const namespaceExists = ({
  followed,
  lookup,
}: Pick<PluginServices, 'followed' | 'lookup'>): AdmissionPlugin => ({
  name: 'NamespaceExists',
  cares: [{ operations: ['CREATE', 'UPDATE', 'DELETE'], subresources: ['*'], except: ['namespaces'] }],
  async validate({ namespace }) {
    if (namespace === '') return;
    if (followed.namespaces.get('', namespace) ?? (await lookup.get('', 'namespaces', '', namespace))) return;
    throw notFound(namespaces, namespace);
  },
});
