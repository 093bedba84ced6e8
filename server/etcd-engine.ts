import { readFileSync } from 'node:fs';
import type { KubeObject } from './base/kube-object.ts';
import { apiVersionOf, parseApiVersion } from './base/kube-object.ts';
import { customResourceDefinition } from './custom-resources/definition.ts';
import type { EngineOptions } from './engine-options.ts';
import { heldBy } from './kinds/core/service/held.ts';
import { kindsFor } from './kinds/index.ts';
import type { KindRules } from './kinds/strategy.ts';
import { EtcdStore } from './store/etcd/etcd-store.ts';
import type { Credentials } from './store/etcd/grpc-session.ts';
import { kubernetesLayout } from './store/etcd/key-layout.ts';
import type { StoredForms } from './store/etcd/value-format.ts';
import { kindPrefix } from './store/object-keys.ts';
import { Room } from './store/room.ts';
import { readSnapshot } from './store/snapshot.ts';
import type { Store, Stored } from './store/store.ts';

const events = kindPrefix({ group: '', resource: 'events' });
const services = kindPrefix({ group: '', resource: 'services' });

/** Keeps all objects in an etcd, as a v1.25 server does. @throws Error when it does not answer, or holds what cannot be read */
export async function openEtcd(options: EngineOptions): Promise<EtcdStore> {
  const { etcdServers, etcdPrefix, storageMediaType, eventTtl, maxObjects, snapshot, log } = options;
  const store = await EtcdStore.open({
    servers: etcdServers,
    credentials: credentialsIn(options),
    layout: kubernetesLayout(etcdPrefix),
    format: storageMediaType,
    room: new Room({ maxObjects }),
    forms: storedForms([...kindsFor(), customResourceDefinition]),
    lifetimeOf: (key) => (eventTtl > 0 && key.startsWith(events) ? eventTtl : undefined),
    exclusive: (key, value) => (key.startsWith(services) ? heldBy(value) : []),
    report: (error) => log?.error('etcd', error),
  });
  try {
    if (snapshot) await fill(store, readSnapshot(snapshot).items);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

const credentialsIn = ({ etcdCafile, etcdCertfile, etcdKeyfile }: EngineOptions): Credentials => ({
  ...(etcdCafile && { ca: readFileSync(etcdCafile) }),
  ...(etcdCertfile && { cert: readFileSync(etcdCertfile) }),
  ...(etcdKeyfile && { key: readFileSync(etcdKeyfile) }),
});

/** What another server has stored in another version of a kind becomes the one that is stored here. */
function storedForms(kinds: readonly KindRules[]): StoredForms {
  const byPrefix = new Map(kinds.map((rules) => [kindPrefix(rules), rules]));
  const rulesOf = (key: string) => byPrefix.get(key.slice(0, key.indexOf('/', key.indexOf('/') + 1) + 1));
  return {
    apiVersionOf(key) {
      const rules = rulesOf(key);
      return rules && apiVersionOf(rules.group, rules.version);
    },
    convert: (key, object) => converted(rulesOf(key), object),
  };
}

/** Versions without a conversion of their own differ in their name alone. */
function converted(rules: KindRules | undefined, object: KubeObject): KubeObject {
  if (!rules) return object;
  const { version } = parseApiVersion(object.apiVersion);
  const conversion = rules.conversions?.[object.apiVersion] ?? rules.conversions?.[version];
  return conversion?.toStorage(object) ?? { ...object, apiVersion: apiVersionOf(rules.group, rules.version) };
}

/** Objects that are stored side by side. */
const batch = 100;

async function fill(store: Store, items: readonly Stored[]): Promise<void> {
  if ((await store.count('')) > 0) throw new Error('the etcd holds objects already');
  const inOrder = [...items].sort((a, b) => a.revision - b.revision);
  for (let start = 0; start < inOrder.length; start += batch) {
    await Promise.all(inOrder.slice(start, start + batch).map(({ key, value }) => store.create(key, value)));
  }
}
