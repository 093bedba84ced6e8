import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError } from '../runtime/api-error.ts';
import type { Client } from '../runtime/client.ts';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { Informers } from '../runtime/informer/informers.ts';
import { uidOf } from '../runtime/kube-object.ts';
import { silentLog } from '../runtime/log.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import { configMaps } from '../runtime/resources.ts';
import { eventually, type Lab, startLab } from '../testing/lab.fixture.ts';
import { garbageCollectionLoops } from './reconcile.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.stop());

const place = { namespace: 'default' };
const conflict = async () => {
  throw new ApiError(409, { reason: 'Conflict' }, 'write');
};

/** An owner with a dependent, and who collects. @param deleted how the owner was deleted */
async function world(deleted: 'Orphan' | 'Background') {
  const ending = new AbortController();
  const parts = { client: lab.client, clock: new FakeClock(), log: silentLog, signal: ending.signal };
  const [loop, discovery] = garbageCollectionLoops({ ...parts, informers: new Informers(parts) } as never);
  const owner = await lab.client.create(configMaps, { metadata: { generateName: 'owner-' } }, place);
  const name = owner.metadata?.name ?? '';
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid: uidOf(owner) }];
  const metadata = { generateName: 'dependent-', ownerReferences };
  const dependent = await lab.client.create(configMaps, { metadata }, place);
  await lab.client.delete(configMaps, { ...place, name }, { propagationPolicy: deleted });
  const brought = new Set<string>();
  loop?.feed?.((uid) => brought.add(uid));
  const request = requestOf({ ...parts, key: '', events: { record: () => {} } });
  await discovery?.reconcile(request);
  await eventually(async () => (brought.has(uidOf(owner)) || brought.has(uidOf(dependent)) ? true : undefined));
  const collect = (key: string, client: Client = lab.client) => loop?.reconcile({ ...request, key, client });
  return { owner: { ...place, name }, ownerId: uidOf(owner), dependent, collect, end: () => ending.abort() };
}

test('an owner whose dependents are not let go is kept, and tried again', async () => {
  const { owner, ownerId, dependent, collect, end } = await world('Orphan');
  const patch: Client['patch'] = (resource, at, ...rest) =>
    at.name === owner.name ? lab.client.patch(resource, at, ...rest) : conflict();
  await expect(collect(ownerId, { patch } as Client)).rejects.toThrow('Conflict');
  expect((await lab.client.get(configMaps, owner)).metadata?.finalizers).toEqual(['orphan']);
  await collect(ownerId);
  const left = await lab.client.get(configMaps, { ...place, name: dependent.metadata?.name ?? '' });
  expect(left.metadata?.ownerReferences ?? []).toEqual([]);
  end();
});

test('a dependent that could not be deleted is tried again', async () => {
  const { dependent, collect, end } = await world('Background');
  await expect(collect(uidOf(dependent), { delete: conflict } as unknown as Client)).rejects.toThrow('Conflict');
  end();
});
