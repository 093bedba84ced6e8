import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeContract } from '../contract/store.contract.ts';
import { withInvariants } from '../invariants.fixture.ts';
import { Room } from '../room.ts';
import { object, removing } from '../store.fixture.ts';
import { StorageError, type Store } from '../store.ts';
import { EtcdProcess, withoutEtcd } from './etcd-process.fixture.ts';
import { EtcdStore } from './etcd-store.ts';
import { plainLayout } from './plain-layout.fixture.ts';

let etcd: EtcdProcess;
const open: Store[] = [];
let stores = 0;

beforeAll(async () => {
  if (!withoutEtcd) etcd = await EtcdProcess.start();
});
afterAll(async () => {
  await etcd?.stop();
});

/** Each has a part of the key space of its own; there is one at a time, so that revisions are without gaps. */
async function emptyStore(): Promise<Store> {
  for (const each of open.splice(0)) await each.close();
  const store = await EtcdStore.open({ servers: [etcd.url], layout: plainLayout(`/test-${stores++}/`) });
  open.push(store);
  await store.compact(await store.currentRevision());
  return withInvariants(store);
}

describe.skipIf(withoutEtcd)('etcd', () => storeContract('store in etcd', emptyStore, 30));

it.skipIf(withoutEtcd)('objects that are on their way to etcd take room as well', async () => {
  const room = new Room({ maxObjects: 10 });
  const store = await EtcdStore.open({ servers: [etcd.url], layout: plainLayout('/room/'), room });
  open.push(store);
  const make = (name: string) => store.create(name, object(name));
  const answers = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => make(`${n}`)));
  const made = answers.flatMap((answer, n) => (answer.status === 'fulfilled' ? [`${n}`] : []));
  expect(made).toHaveLength(10);
  for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toBeInstanceOf(StorageError);
  await store.update(made[0] ?? '', removing);
  await make('more');
  await expect(make('too many')).rejects.toBeInstanceOf(StorageError);
});
