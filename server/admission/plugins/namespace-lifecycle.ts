import type { KubeObject } from '../../base/kube-object.ts';
import { forbidden, notFound } from '../../base/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { writes } from '../concern.ts';
import type { PluginServices } from '../plugin-services.ts';
import { refusal } from '../refusal.ts';

/** The system needs them, so nobody deletes them. */
const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Objects are only created in namespaces that exist and are not being deleted; some namespaces are never deleted. */
export const namespaceLifecycle = ({
  followed,
  lookup,
}: Pick<PluginServices, 'followed' | 'lookup'>): AdmissionPlugin => ({
  name: 'NamespaceLifecycle',
  cares: [
    writes('', 'namespaces', 'DELETE'),
    // What somebody may do is answered for every namespace, so that the answer tells nothing about it.
    {
      operations: ['CREATE'],
      subresources: ['*'],
      except: ['namespaces', 'localsubjectaccessreviews.authorization.k8s.io'],
    },
  ],
  check(attributes) {
    const { operation, name, namespace } = attributes;
    if (operation === 'DELETE') {
      if (immortal.has(name)) throw forbidden(attributes.resource, name, 'this namespace may not be deleted');
      return undefined;
    }
    const known = followed.namespaces.get('', namespace);
    if (known && !known.metadata.deletionTimestamp) return undefined;
    // What is in no namespace needs none.
    if (namespace === '') return undefined;
    if (known) return demandAlive(attributes, known);
    // One that was made a moment ago through another server may not be known here yet.
    return lookup.get('', 'namespaces', '', namespace).then((found) => demandAlive(attributes, found));
  },
});

/** @throws 404 there is no such namespace, 403 it is being deleted */
function demandAlive(attributes: AdmissionAttributes, namespace: KubeObject | undefined): void {
  if (!namespace) throw notFound({ group: '', resource: 'namespaces' }, attributes.namespace);
  if (namespace.metadata.deletionTimestamp) throw terminating(attributes);
}

function terminating(attributes: AdmissionAttributes) {
  const { namespace } = attributes;
  const message = `namespace ${namespace} is being terminated`;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  return refusal(attributes, why, [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }]);
}
