import { randomInt } from 'node:crypto';
import type { KubeObject } from '../../base/kube-object.ts';
import type { Peers } from '../store.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { KeyLayout } from './key-layout.ts';
import { rangeOf } from './ranges.ts';
import { eachOf } from './reading.ts';
import { decodeValue, encodeValue, type ValueFormat } from './value-format.ts';

/** Seconds. */
const lifetime = 15;

/** Where v1.25 servers tell each other of themselves: keys that go with their leases. */
export class EtcdPeers implements Peers {
  readonly #client: EtcdClient;
  readonly #prefix: string;
  readonly #format: ValueFormat | undefined;

  constructor(client: EtcdClient, layout: KeyLayout, format: ValueFormat | undefined) {
    this.#client = client;
    this.#prefix = `${layout.root}masterleases/`;
    this.#format = format;
  }

  async tell(name: string, said: KubeObject): Promise<void> {
    const lease = 1 + randomInt(2 ** 47);
    await this.#client.grantLease(lease, lifetime);
    const value = encodeValue(said, this.#format ?? 'application/json');
    await this.#client.txn({ compare: [], success: [{ put: { key: this.#key(name), value, lease } }], failure: [] });
  }

  async leave(name: string): Promise<void> {
    await this.#client.txn({ compare: [], success: [{ remove: { key: this.#key(name) } }], failure: [] });
  }

  async all(): Promise<readonly KubeObject[]> {
    const said: KubeObject[] = [];
    await eachOf(this.#client, rangeOf(this.#prefix), 0, ({ value }) => said.push(decodeValue(value)));
    return said;
  }

  #key(name: string): Buffer {
    return Buffer.from(this.#prefix + name);
  }
}
