import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Stored } from '../store/store.ts';
import { RecordingSink } from './recording-sink.fixture.ts';
import { WatchedStore } from './watched-store.fixture.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd');
/** Objects of one group; the client watches a single one. */
const group = fc.constantFrom(0, 1, 2);

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('put' as const), name, group }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('open' as const), group, fresh: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reconnect' as const), client: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), client: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pause' as const), client: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.constant({ do: 'turn' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A client that keeps a copy of all objects of one group by list and watch, or by watch alone. */
class Client {
  readonly #watched: WatchedStore;
  readonly #group: number;
  readonly copy = new Map<string, string>();
  #version: number | undefined;
  #listed = false;
  #sink = new RecordingSink();
  #leave = () => {};

  constructor(watched: WatchedStore, group: number) {
    this.#watched = watched;
    this.#group = group;
  }

  matches = ({ value }: Stored) => value['group'] === this.#group;

  async list(): Promise<void> {
    const { items, revision } = await this.#watched.store.list('things/');
    this.#version = revision;
    this.#listed = true;
    for (const { key, value } of items.filter(this.matches)) this.copy.set(key, String(value.metadata.resourceVersion));
  }

  async watch(): Promise<void> {
    this.#sink = new RecordingSink();
    const { watcher } = await this.#watched.open({ revision: this.#version, matches: this.matches, sink: this.#sink });
    this.#leave = () => watcher.leave();
  }

  /** Leaves in the middle, and goes on from the last version that it saw. */
  async reconnect(): Promise<void> {
    this.read();
    this.#leave();
    await this.watch();
  }

  pause(): void {
    this.#sink.open = false;
  }

  drain(): void {
    this.#sink.open = true;
    this.#sink.drain();
    this.read();
  }

  read(): void {
    const start = this.#version;
    for (const { type, object } of this.#sink.events) {
      const version = Number(object.metadata.resourceVersion);
      const key = `things/${object.metadata.name}`;
      // Additions of what existed come in the order of names; all later changes in the order of versions.
      if (start !== undefined) expect(version).toBeGreaterThan(this.#version ?? 0);
      // Who began without a list may resume before changes of what it was never shown.
      if (this.#listed) expect(this.copy.has(key)).toBe(type !== 'ADDED');
      if (type === 'DELETED') this.copy.delete(key);
      else this.copy.set(key, String(version));
      this.#version = Math.max(this.#version ?? 0, version);
    }
    this.#sink.chunks.length = 0;
  }
}

async function perform(watched: WatchedStore, clients: Client[], each: Step): Promise<void> {
  if (each.do === 'turn') return watched.turn();
  if (each.do === 'remove') return void (await watched.remove(each.name).catch(() => {}));
  if (each.do === 'put') {
    const more = { group: each.group };
    await watched.create(each.name, more).catch(() => watched.change(each.name, more));
    return;
  }
  if (each.do === 'open') {
    const client = new Client(watched, each.group);
    clients.push(client);
    if (!each.fresh) await client.list();
    return client.watch();
  }
  const client = clients[each.client % Math.max(1, clients.length)];
  if (each.do === 'reconnect') return client?.reconnect();
  if (each.do === 'read') client?.drain();
  else client?.pause();
}

/** Milliseconds that changes wait for others at most. */
const longestRest = 20;

it('lets clients keep an exact copy of what they select, however slowly they read and whenever they reconnect', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const watched = new WatchedStore();
      const clients: Client[] = [];
      for (const each of steps) await perform(watched, clients, each);
      watched.timers.advance(longestRest);
      const { items } = await watched.store.list('things/');
      for (const client of clients) {
        client.drain();
        const wanted = items.filter(client.matches).map(({ key, revision }) => [key, String(revision)]);
        expect([...client.copy].sort()).toEqual(wanted);
      }
      await watched.store.close();
    }),
    { numRuns: 200 },
  );
});
