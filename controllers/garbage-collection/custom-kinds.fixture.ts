import type { Client } from '../runtime/client.ts';
import type { KubeObject } from '../runtime/kube-object.ts';
import { customResourceDefinitions, type Resource } from '../runtime/resources.ts';
import { eventually } from '../testing/lab.fixture.ts';

const group = 'example.com';
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const nameOf = ({ plural }: Resource) => ({ name: `${plural}.${group}` });

/** Of the versions that are served the first is stored. */
const versionsOf = (...names: readonly string[]) =>
  names.map((name, index) => ({ name, served: true, storage: index === 0, schema }));

/** Defines a kind in one version. */
export async function define(client: Client, plural: string, kind: string): Promise<Resource> {
  const resource = { group, version: 'v1', plural, kind, namespaced: true };
  const spec = { group, names: { plural, kind }, scope: 'Namespaced', versions: versionsOf('v1') };
  await client.create(customResourceDefinitions, { metadata: nameOf(resource), spec }, {});
  return resource;
}

/** Makes an object of such a kind as soon as it is served. */
export const make = (
  client: Client,
  resource: Resource,
  metadata: NonNullable<KubeObject['metadata']>,
): Promise<KubeObject> => {
  const object = { apiVersion: `${group}/v1`, kind: resource.kind, metadata };
  return eventually(() => client.create(resource, object, { namespace: 'default' }).catch(() => undefined));
};

/** From now on a version is preferred that is not the stored one, and the converter is of no use: nobody can list the kind. */
export const makeUnreadable = (client: Client, resource: Resource, converter: string) => {
  const webhook = { clientConfig: { url: converter }, conversionReviewVersions: ['v1'] };
  const conversion = { strategy: 'Webhook', webhook };
  return client.patch(customResourceDefinitions, nameOf(resource), {
    spec: { versions: versionsOf('v1', 'v2'), conversion },
  });
};

export const makeReadable = (client: Client, resource: Resource) =>
  client.patch(customResourceDefinitions, nameOf(resource), {
    spec: { conversion: { strategy: 'None', webhook: null } },
  });
