import { ManualTimers } from '../base/time/manual-timers.fixture.ts';
import { withInvariants } from '../store/invariants.fixture.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { jsonEncoder } from './event-encoder.ts';
import { FanOut } from './fan-out.ts';
import { RecordingSink } from './recording-sink.fixture.ts';
import type { WatchEnd, WatchLimits, WatchRequest } from './watcher.ts';

export const minute = 60_000;
export const encoder = jsonEncoder({ kind: 'Thing', apiVersion: 'v1' });
export const thing = (name: string, more: object = {}) => ({
  kind: 'Thing',
  apiVersion: 'v1',
  metadata: { name },
  ...more,
});
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** For tests: a store with keys under `things/`, a fan-out and time that stands still. */
export class WatchedStore {
  readonly store: Store;
  readonly timers = new ManualTimers();
  readonly fanOut: FanOut;

  constructor(limits: Partial<WatchLimits> = {}, store: Store = withInvariants(new MemoryStore({ freeze: true }))) {
    this.store = store;
    this.fanOut = new FanOut({ store, timers: this.timers, limits, now: () => this.timers.now });
  }

  async open(request: Partial<WatchRequest> = {}) {
    const sink = new RecordingSink();
    const ends: WatchEnd[] = [];
    const watcher = this.fanOut.open({
      prefix: 'things/',
      revision: await this.store.currentRevision(),
      matches: () => true,
      encoder,
      sink,
      timeout: 30 * minute,
      bookmarks: false,
      onEnd: (end) => ends.push(end),
      ...request,
    });
    await settled();
    return { sink: (request.sink as RecordingSink | undefined) ?? sink, watcher, ends };
  }

  create = async (name: string, more?: object) =>
    (await this.store.create(`things/${name}`, thing(name, more))).revision;
  change = async (name: string, more?: object) =>
    (await this.store.update(`things/${name}`, () => ({ write: thing(name, more) }))).revision;
  remove = async (name: string) => (await this.store.update(`things/${name}`, () => ({ remove: true }))).revision;
  /** Lets the event loop turn. */
  turn = () => this.timers.advance(0);
}
