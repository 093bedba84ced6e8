import type { KubeObject } from '../../base/kube-object.ts';
import { TakenError } from '../store.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { KeyLayout } from './key-layout.ts';
import type { KeyValue } from './messages.ts';
import { rangeOf } from './ranges.ts';
import type { Replica } from './replica.ts';
import { claimsPrefix, fewClaims, heldClaims, type Noted, type Write } from './transaction.ts';

export interface ClaimOptions {
  readonly layout: KeyLayout;
  /** What only one object at a time may hold, of all servers: it is taken and given back with the write. */
  readonly exclusive?: (key: string, value: KubeObject) => readonly string[];
  /** How other servers note what is held, beside the objects; missing: they do not. */
  readonly records?: Records;
}

/** What others keep of what only one object may hold: it is kept up with each write, where it is there. */
export interface Records {
  /** What their keys begin with, below the root. */
  readonly prefix: string;
  /** A record with what a write takes and gives back; the same one when it speaks of none of it. @throws TakenError */
  noted(record: Buffer, write: Pick<Write, 'key' | 'takes' | 'returns'>): Buffer;
}

interface Parts extends ClaimOptions {
  readonly client: EtcdClient;
  readonly replica: Replica;
}

/** What stands in etcd of who holds what. */
export class Claims {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What a write that takes or gives back something has to know before. @throws TakenError */
  async known(write: Write): Promise<Pick<Write, 'noted' | 'claimsKnown'>> {
    return { noted: await this.#noted(write), ...(await this.#known(write)) };
  }

  /** The claims that stood against a write in vain; undefined: there were none. @throws TakenError when somebody has what it takes */
  stale(write: Write, answers: readonly (KeyValue | undefined)[]): ReadonlyMap<string, number> | undefined {
    const held = heldClaims(write, answers);
    for (const { what, holder } of held) this.#expectFree(what, holder, write.key);
    return held.length > 0 ? new Map(held.map(({ what, modRevision }) => [what, modRevision])) : undefined;
  }

  async #noted(write: Write): Promise<readonly Noted[]> {
    const { records, client, layout } = this.#parts;
    if (!records) return [];
    const { kvs = [] } = await client.range(rangeOf(layout.root + records.prefix));
    return kvs.flatMap(({ key, modRevision, value: before }) => {
      const value = records.noted(before, write);
      return value === before ? [] : [{ key, modRevision, value }];
    });
  }

  /** Where claims are written in groups there is no room to compare each: they are looked at before. */
  async #known({ key, takes, returns }: Write): Promise<Pick<Write, 'claimsKnown'>> {
    if (takes.length === 0 || takes.length + returns.length <= fewClaims) return {};
    const { client, layout, replica } = this.#parts;
    const { complete } = replica;
    const prefix = claimsPrefix(layout);
    const { header, kvs = [] } = await client.range(rangeOf(prefix));
    const claimsKnown = header?.revision ?? 0;
    await replica.reached(claimsKnown, complete);
    const taken = new Set(takes);
    for (const claim of kvs) {
      const what = claim.key.toString().slice(prefix.length);
      if (taken.has(what)) this.#expectFree(what, claim.value.toString(), key);
    }
    return { claimsKnown };
  }

  /** What claims something may have it no more. @throws TakenError when it does, and is not who wants it */
  #expectFree(what: string, holder: string, wantedBy: string): void {
    const { exclusive, replica } = this.#parts;
    const object = holder === wantedBy ? undefined : replica.versions.get(holder);
    if (object && exclusive?.(holder, object.value).includes(what))
      throw new TakenError(`${what} is held by ${holder}`);
  }
}
