import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { KubeObject } from '../base/kube-object.ts';
import { formatTime } from '../base/time/clock.ts';
import { customResourceDefinition } from '../custom-resources/definition/definition.ts';
import { heldBy } from '../kinds/core/service/held.ts';
import { type RangeRecord, withNoted } from '../kinds/core/service/range-record.ts';
import { kindsFor } from '../kinds/index.ts';
import { EtcdStore } from '../store/etcd/etcd-store.ts';
import type { Credentials } from '../store/etcd/grpc-session.ts';
import { kubernetesLayout } from '../store/etcd/key-layout.ts';
import type { Write } from '../store/etcd/transaction.ts';
import { decodeValue, encodeValue, formatOf } from '../store/etcd/value-format.ts';
import { kindPrefix, objectKey } from '../store/object-keys.ts';
import type { Stored } from '../store/store.ts';
import { boundsOf, type EngineOptions } from './engine-options.ts';
import { readObjects } from './snapshot-objects.ts';
import { storedForms } from './stored-forms.ts';

const events = kindPrefix({ group: '', resource: 'events' });
const services = kindPrefix({ group: '', resource: 'services' });

/** All objects in an etcd, as a v1.25 server keeps them. @throws Error when it does not answer, or holds what is encrypted */
export async function openEtcd(options: EngineOptions): Promise<EtcdStore> {
  const { etcdServers, etcdPrefix, storageMediaType, eventTtl, snapshot, log } = options;
  const store = await EtcdStore.open({
    servers: etcdServers,
    credentials: credentialsIn(options),
    layout: kubernetesLayout(etcdPrefix),
    format: storageMediaType,
    ...boundsOf(options),
    forms: storedForms([...kindsFor(), customResourceDefinition]),
    lifetimeOf: (key) => (eventTtl > 0 && key.startsWith(events) ? eventTtl : undefined),
    exclusive: (key, value) => (key.startsWith(services) ? heldBy(value) : []),
    records: { prefix: 'ranges/', noted },
    report: (error) => log?.error('etcd', error),
  });
  try {
    if (await store.readNote(filling)) throw new Error(partOfSnapshot(etcdPrefix));
    if (snapshot) await fill(store, etcdPrefix, readObjects(snapshot).items);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A Service whose address is set aside for it. Where that is noted and the Service is gone, nobody else has it. */
const kubernetes = objectKey({ group: '', resource: 'services' }, 'default', 'kubernetes');

/** A record of addresses or ports, in the format that it has. */
function noted(record: Buffer, { key, takes, returns }: Pick<Write, 'key' | 'takes' | 'returns'>): Buffer {
  const allocation = decodeValue(record) as KubeObject & RangeRecord;
  const before = key === kubernetes ? withNoted(allocation, [], takes) : allocation;
  const changed = withNoted(before, takes, returns);
  return changed === allocation ? record : encodeValue(changed, formatOf(record));
}

/** As the files are at each connection: certificates are renewed while the server runs. */
const credentialsIn =
  ({ etcdCafile, etcdCertfile, etcdKeyfile }: EngineOptions) =>
  (): Credentials => ({
    ...(etcdCafile && { ca: readFileSync(etcdCafile) }),
    ...(etcdCertfile && { cert: readFileSync(etcdCertfile) }),
    ...(etcdKeyfile && { key: readFileSync(etcdKeyfile) }),
  });

/** Objects that are stored side by side. */
const batch = 100;

/** The note that is there as long as a snapshot is being written. */
const filling = 'filling';

const partOfSnapshot = (prefix: string) =>
  `the etcd holds only a part of a snapshot: if nobody writes it any more, remove all below ${prefix} and load it anew`;

async function fill(store: EtcdStore, prefix: string, items: readonly Stored[]): Promise<void> {
  await demandEmpty(store);
  const own = `${formatTime(Date.now())} ${randomUUID()}`;
  await store.createNote(filling, own);
  if ((await store.readNote(filling)) !== own) throw new Error(partOfSnapshot(prefix));
  // Another one may have begun and ended meanwhile.
  await demandEmpty(store).catch(async (error) => {
    await store.removeNote(filling);
    throw error;
  });
  const inOrder = [...items].sort((a, b) => a.revision - b.revision);
  for (let start = 0; start < inOrder.length; start += batch) {
    await Promise.all(inOrder.slice(start, start + batch).map(({ key, value }) => store.create(key, value)));
  }
  await store.removeNote(filling);
}

async function demandEmpty(store: EtcdStore): Promise<void> {
  const { items } = await store.list('', { limit: 1 });
  if (items.length > 0) throw new Error('the etcd holds objects already');
}
