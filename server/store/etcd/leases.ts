import type { EtcdClient } from './etcd-client.ts';

interface Lease {
  readonly id: Promise<number>;
  readonly until: number;
  keys: number;
}

/** One lease is for so many keys, and for what is written within so many milliseconds, or within that part of a short life. */
const shared = { keys: 1000, milliseconds: 60_000, part: 0.05 };

/** Leases that make keys go when their time is over. Keys that are written at about the same time share one. */
export class Leases {
  readonly #client: EtcdClient;
  readonly #now: () => number;
  readonly #random: () => number;
  /** By how long a key is to live. */
  readonly #newest = new Map<number, Lease>();

  constructor(client: EtcdClient, now: () => number, random: () => number) {
    this.#client = client;
    this.#now = now;
    this.#random = random;
  }

  /** The id of a lease that lasts at least so long. @param lifetime milliseconds */
  async of(lifetime: number): Promise<number> {
    const known = this.#newest.get(lifetime);
    if (known && known.until > this.#now() && known.keys++ < shared.keys) return known.id;
    const id = 1 + Math.floor(this.#random() * (Number.MAX_SAFE_INTEGER - 1));
    const within = Math.min(shared.milliseconds, shared.part * lifetime);
    const seconds = Math.ceil((lifetime + within) / 1000);
    const granted = this.#client.grantLease(id, seconds).then(() => id);
    const lease = { id: granted, until: this.#now() + within, keys: 1 };
    this.#newest.set(lifetime, lease);
    granted.catch(() => this.forget());
    return granted;
  }

  /** The newest ones are not to be used any more. */
  forget(): void {
    this.#newest.clear();
  }
}
