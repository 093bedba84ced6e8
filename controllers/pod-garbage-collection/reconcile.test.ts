import { expect, test } from 'vitest';
import { ApiError } from '../runtime/api-error.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import { type Pod, pods, type Resource } from '../runtime/resources.ts';
import { quarantine } from './plan.ts';
import { podGarbageCollectionLoops } from './reconcile.ts';

const pod = (name: string, nodeName: string | undefined, phase: string, leaving = false) =>
  ({
    metadata: { namespace: 'ns', name, ...(leaving && { deletionTimestamp: '2024-01-01T00:00:00Z' }) },
    spec: { ...(nodeName && { nodeName }) },
    status: { phase },
  }) as Pod;

/** Its loop, over these pods: `cached` are the nodes that it has heard of, `served` those that the server knows. */
function scene(all: readonly Pod[]) {
  const world = { now: 0, cached: new Set(['here']), served: new Set(['here']), done: [] as string[] };
  const told = { outcome: undefined as number | undefined, said: [] as string[] };
  const [loop] = podGarbageCollectionLoops();
  const request = requestOf({
    key: 'all',
    clock: { now: () => world.now },
    log: { error: (what: string) => void told.said.push(what) },
    read: (resource: Resource) =>
      resource === pods
        ? { all: () => all }
        : { find: (name: string) => (world.cached.has(name) ? { metadata: { name } } : undefined) },
    client: {
      get: async (_: Resource, { name }: { name: string }) => {
        if (world.served.has(name)) return { metadata: { name } };
        throw new ApiError(404, { reason: 'NotFound', code: 404 }, `get ${name}`);
      },
    },
    write: () => ({
      replace: async (_: Pod, { metadata, status }: Pod, part: string) => {
        if (metadata?.name === 'stuck') throw new ApiError(422, { reason: 'Invalid' }, 'put its status');
        world.done.push(`${part} of ${metadata?.name}: ${status?.phase}`);
        return { metadata, status };
      },
      delete: async ({ metadata, status }: Pod, { gracePeriodSeconds }: { gracePeriodSeconds: number }) => {
        world.done.push(`delete ${metadata?.name} (${status?.phase}) within ${gracePeriodSeconds}`);
      },
    }),
  });
  return {
    world,
    told,
    async look(now: number): Promise<readonly string[]> {
      world.now = now;
      told.outcome = await loop?.reconcile(request);
      return world.done.splice(0);
    },
  };
}

test('pods of a node that is gone for certain are told to have failed, and go', async () => {
  const { look } = scene([
    pod('stays', 'here', 'Running'),
    pod('lost', 'gone', 'Running'),
    pod('ended', 'gone', 'Succeeded'),
  ]);
  expect(await look(0)).toEqual([]);
  expect(await look(quarantine - 1)).toEqual([]);
  expect((await look(quarantine)).toSorted()).toEqual([
    'delete ended (Succeeded) within 0',
    'delete lost (Failed) within 0',
    'status of lost: Failed',
  ]);
});

test('nothing goes while the server knows of the node, or has known of it meanwhile', async () => {
  const { look, world } = scene([pod('late', 'new', 'Running')]);
  world.served.add('new');
  expect([await look(0), await look(quarantine)]).toEqual([[], []]);
  world.cached.add('new');
  expect(await look(2 * quarantine)).toEqual([]);
  world.cached.delete('new');
  world.served.delete('new');
  expect([await look(3 * quarantine), await look(4 * quarantine - 1)]).toEqual([[], []]);
  expect(await look(4 * quarantine)).toEqual(['status of late: Failed', 'delete late (Failed) within 0']);
});

test('a pod that is to go and never had a node goes at once', async () => {
  const { look } = scene([pod('unplaced', undefined, 'Pending', true), pod('waiting', undefined, 'Pending')]);
  expect(await look(0)).toEqual(['delete unplaced (Pending) within 0']);
});

test('a pod that cannot be removed holds up no other, and the next look is not put off because of it', async () => {
  const { look, told } = scene([pod('stuck', 'gone', 'Running'), pod('lost', 'gone', 'Running')]);
  await look(0);
  expect(await look(quarantine)).toEqual(['status of lost: Failed', 'delete lost (Failed) within 0']);
  expect([told.outcome, told.said]).toEqual([20_000, ['ns/stuck is not removed']]);
});
