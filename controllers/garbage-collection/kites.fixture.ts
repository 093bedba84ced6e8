import type { Client } from '../runtime/client.ts';
import { customResourceDefinitions, type Resource } from '../runtime/resources.ts';
import { eventually } from '../testing/lab.fixture.ts';

export const kites: Resource = { group: 'example.com', version: 'v1', plural: 'kites', kind: 'Kite', namespaced: true };
const definition = { name: 'kites.example.com' };
const names = { plural: 'kites', singular: 'kite', kind: 'Kite', listKind: 'KiteList' };
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

/** Of these versions the first is stored. The converter, if there is one, is the URL of a webhook. */
function specOf(served: readonly string[], converter?: string) {
  const versions = served.map((name, index) => ({ name, served: true, storage: index === 0, schema }));
  const webhook = converter ? { clientConfig: { url: converter }, conversionReviewVersions: ['v1'] } : null;
  const conversion = { strategy: converter ? 'Webhook' : 'None', webhook };
  return { group: 'example.com', names, scope: 'Namespaced', versions, conversion };
}

/** Defines kites, and resolves when one flies. */
export async function defineKites(client: Client): Promise<void> {
  await client.create(customResourceDefinitions, { metadata: definition, spec: specOf(['v1']) }, {});
  const kite = { apiVersion: 'example.com/v1', kind: 'Kite', metadata: { name: 'first' } };
  await eventually(() => client.create(kites, kite, { namespace: 'default' }).catch(() => undefined));
}

/** From now on a version is preferred that is not the stored one; the converter is of no use, so nobody can list kites. */
export const makeUnreadable = (client: Client, converter: string) =>
  client.patch(customResourceDefinitions, definition, { spec: specOf(['v1', 'v2'], converter) });

export const makeReadable = (client: Client) =>
  client.patch(customResourceDefinitions, definition, { spec: specOf(['v1', 'v2']) });
