import { afterAll, beforeAll, describe } from 'vitest';
import { withInvariants } from '../invariants.fixture.ts';
import { storeContract } from '../store.contract.ts';
import type { Store } from '../store.ts';
import { EtcdProcess, withoutEtcd } from './etcd-process.fixture.ts';
import { EtcdStore } from './etcd-store.ts';
import { plainLayout } from './key-layout.ts';

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
