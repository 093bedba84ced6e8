import { setImmediate as settled } from 'node:timers/promises';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import { CompactedError, type StoreEvent } from '../store.ts';
import type { EtcdClient, WatchListener } from './etcd-client.ts';
import type { KeyValue, WatchResponse } from './messages.ts';
import { plainLayout } from './plain-layout.fixture.ts';
import { Replica } from './replica.ts';
import { anyForm, type StoredForms } from './value-format.ts';

export const bytesOf = (name: string) =>
  Buffer.from(`{"kind":"Thing","apiVersion":"v1","metadata":{"name":"${name}"}}\n`);

export const kvOf = (name: string, modRevision: number, value = bytesOf(name)): KeyValue =>
  ({ key: Buffer.from(`/r/things/${name}`), value, modRevision }) as KeyValue;

/** A replica of an etcd that tells only what it is told to tell. */
export async function replicaOf(kvs: readonly KeyValue[] = [], revision = 5, forms: StoredForms = anyForm) {
  let state = { kvs, header: { revision }, more: false };
  let listener: WatchListener | undefined;
  let from = 0;
  /** Whoever reads all there is waits for this. */
  let reading: Promise<unknown> = Promise.resolve();
  const client = {
    range: async () => {
      const answer = state;
      await reading;
      return answer;
    },
    watch(startRevision: number, _previous: boolean, heard: WatchListener) {
      [listener, from] = [heard, startRevision];
      return () => {};
    },
  } as unknown as EtcdClient;
  const timers = new ManualTimers();
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  const parts = { client, layout: plainLayout('/r'), forms, timers, report };
  const replica = await Replica.open(parts);
  const events: string[] = [];
  replica.versions.watch({
    prefix: '/things/',
    after: revision,
    sink: ({ key, revision: at, current }: StoreEvent) => void events.push(`${current ? '+' : '-'}${key} ${at}`),
    lost: undefined,
  });
  const telling =
    (fragment: boolean) =>
    (...told: readonly (readonly [name: string, revision: number])[]) =>
      listener?.response({
        events: told.map(([name, at]) => ({ type: 0, kv: kvOf(name, at) })),
        fragment,
      } as unknown as WatchResponse);
  return {
    ...{ replica, events, reported, tell: telling(false), tellPart: telling(true) },
    names: () => replica.list('/things/', {}).items.map(({ key }) => key.slice('/things/'.length)),
    watchedFrom: () => from,
    isThere: async (at: number) => {
      let there = false;
      void replica.reached(at).then(() => {
        there = true;
      });
      await settled();
      return there;
    },
    /** From now on it says this when it is asked. */
    says(at: number) {
      state = { ...state, header: { revision: at } };
    },
    beginsToTell: (at: number) =>
      listener?.response({ created: true, header: { revision: at } } as unknown as WatchResponse),
    /** Once time to do so has come. */
    async watchesAgain() {
      timers.advance(100);
      await settled();
    },
    /** No more is told. */
    ends: (error: Error) => listener?.end(error),
    /** What was forgotten is read anew: this, once `until` is over. */
    forget(now: readonly KeyValue[], at: number, until: Promise<unknown>) {
      state = { kvs: now, header: { revision: at }, more: false };
      reading = until;
      listener?.end(new CompactedError(at));
    },
  };
}
