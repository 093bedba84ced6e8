import type { ResourceAction } from '../../authz/authorizer.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import { type KubeObject, type OwnerReference, parseApiVersion } from '../../base/kube-object.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import type { PluginServices } from '../plugin-services.ts';
import { refusal } from '../refusal.ts';

type Services = Pick<PluginServices, 'authorizer' | 'resources'>;

const ownersOf = (object: KubeObject | undefined): readonly OwnerReference[] => object?.metadata.ownerReferences ?? [];

/** Owners that will hold back their own removal for this object, and did not before. */
function newlyBlocking({ object, oldObject }: AdmissionAttributes): OwnerReference[] {
  const before = new Set(
    ownersOf(oldObject)
      .filter(({ blockOwnerDeletion }) => blockOwnerDeletion)
      .map(({ uid }) => uid),
  );
  return ownersOf(object).filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion === true && !before.has(uid));
}

/** Who sets owners decides when an object is deleted, so must be allowed to delete it (and to hold back the owners). */
export const ownerReferencesPermissionEnforcement = (services: Services): AdmissionPlugin => ({
  name: 'OwnerReferencesPermissionEnforcement',
  cares: [{ operations: ['CREATE', 'UPDATE'], subresources: ['*'] }],
  async validate(attributes) {
    const { object, oldObject, resource, subresource } = attributes;
    // Nodes send owners along with a status, which are ignored.
    if (resource.group === '' && resource.resource === 'pods' && subresource === 'status') return;
    if (!object || deepEqual(ownersOf(object), ownersOf(oldObject))) return;
    await demand(services, attributes, deletion(attributes), "cannot set an ownerRef on a resource you can't delete");
    for (const owner of newlyBlocking(attributes)) {
      const action = finalizing(services, attributes, owner);
      await demand(
        services,
        attributes,
        action,
        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on",
      );
    }
  },
});

async function demand(
  { authorizer }: Services,
  attributes: AdmissionAttributes,
  action: ResourceAction,
  why: string,
): Promise<void> {
  const { decision, reason, error = '' } = await authorizer.authorize(attributes.user, action);
  if (decision !== 'allow') throw refusal(attributes, `${why}: ${reason}, ${error || '<nil>'}`);
}

const deletion = ({ resource, namespace, name, object }: AdmissionAttributes): ResourceAction => ({
  type: 'resource',
  verb: 'delete',
  group: resource.group,
  version: resource.version,
  resource: resource.resource,
  subresource: '',
  namespace,
  name: name || (object?.metadata.name ?? ''),
});

/** @throws 403 this server has no such kind */
function finalizing(
  { resources }: Services,
  attributes: AdmissionAttributes,
  { apiVersion, kind, name }: OwnerReference,
): ResourceAction {
  const { group, version } = parseApiVersion(apiVersion);
  for (const found of resources.all()) {
    if (found.group !== group || found.served.version !== version || found.kind !== kind) continue;
    return {
      type: 'resource',
      verb: 'update',
      group,
      version,
      resource: found.plural,
      subresource: 'finalizers',
      namespace: found.namespaced ? attributes.namespace : '',
      name,
    };
  }
  const missing = `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`;
  throw refusal(
    attributes,
    `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${missing}`,
  );
}
