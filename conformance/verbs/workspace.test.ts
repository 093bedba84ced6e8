import { expect, test } from 'vitest';
import type { Answer, Client, Json, SendOptions } from './client.ts';
import { Collection } from './collection.ts';
import { kindPaths } from './kinds.ts';
import { merged } from './merged.ts';
import { unconfined } from './standards.ts';
import { makeWorkspace } from './workspace.ts';

const enforce = 'pod-security.kubernetes.io/enforce';

/** A cluster whose new namespaces others write a moment later. */
function tendedCluster(others: Json) {
  let namespace: Json;
  const send = async (method: string, _: string, { body }: SendOptions = {}): Promise<Answer> => {
    if (method === 'POST') {
      namespace = merged(body as Json, { metadata: { resourceVersion: '1' } });
      const made = namespace;
      setTimeout(() => {
        namespace = merged(namespace, merged(others, { metadata: { resourceVersion: '2' } }));
      }, 10);
      return { status: 201, body: made } as Answer;
    }
    if (method === 'PATCH') namespace = merged(namespace, body as Json);
    return { status: 200, body: namespace } as Answer;
  };
  return { client: { send } as Client, seen: () => namespace };
}

const litter = { later: () => undefined, closeLater: () => undefined };

test('a namespace of a rule says that it holds pods to no standard, also when others have said otherwise', async () => {
  const { client, seen } = tendedCluster({ metadata: { labels: { [enforce]: 'restricted' } } });
  await makeWorkspace(client, { ...litter, tending: 40 }).namespace();
  expect(seen().metadata.labels).toMatchObject(unconfined);
});

test('a namespace that a rule is about is given as others have left it', async () => {
  const { client } = tendedCluster({ metadata: { annotations: { 'example.org/seen': 'yes' } } });
  const create = (tending?: number): Promise<Json> => {
    const workspace = makeWorkspace(client, { ...litter, tending });
    return new Collection({ at: kindPaths.namespaces, client, workspace, patience: 100 }).create();
  };
  expect((await create(40)).metadata).toMatchObject({
    resourceVersion: '2',
    annotations: { 'example.org/seen': 'yes' },
  });
  expect((await create()).metadata.resourceVersion, 'where nobody writes them').toBe('1');
});
