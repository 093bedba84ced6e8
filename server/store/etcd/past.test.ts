import { expect, test } from 'vitest';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import type { EtcdClient, WatchListener } from './etcd-client.ts';
import type { WatchResponse } from './messages.ts';
import { Past } from './past.ts';
import { plainLayout } from './plain-layout.fixture.ts';
import { anyForm } from './value-format.ts';

const value = Buffer.from('{"kind":"Thing","apiVersion":"v1","metadata":{"name":"a"}}\n');
const eventAt = (modRevision: number) => ({ type: 0, kv: { key: Buffer.from('/r/things/a'), value, modRevision } });

/** The past of an etcd with a change at each revision up to 100, and how many changes it was asked for. */
function pastOf() {
  let told = 0;
  const client = {
    watch(from: number, _previous: boolean, { response }: WatchListener) {
      let over = false;
      const tell = (revision: number) => {
        if (over || revision > 100) return;
        told++;
        response({ events: [eventAt(revision)] } as unknown as WatchResponse);
        setImmediate(tell, revision + 1);
      };
      setImmediate(tell, from);
      return () => {
        over = true;
      };
    },
  } as unknown as EtcdClient;
  const parts = { client, layout: plainLayout('/r'), forms: anyForm, timers: new ManualTimers(), report: () => {} };
  return { past: new Past(parts), told: () => told };
}

const span = (events: readonly { readonly revision: number }[]) => [
  events[0]?.revision,
  events.at(-1)?.revision,
  events.length,
];

test('whoever comes back after a restart, from whichever revision, the past is read once', async () => {
  const { past, told } = pastOf();
  const from = [90, 50, 95, 20, 70, 50, 30];
  const heard = await Promise.all(from.map((after) => past.events(after, 100)));
  expect(heard.map(span)).toEqual(from.map((after) => [after + 1, 100, 100 - after]));
  // Each time one more than is wanted, to be sure of the first.
  expect(told()).toBeLessThan(80 + 2 * from.length);
});

test('what is forgotten while it is read goes to whom it was read for, and to nobody else', async () => {
  const { past } = pastOf();
  await past.events(60, 100);
  const more = past.events(40, 100);
  await Promise.resolve();
  past.forget();
  expect(span(await more)).toEqual([41, 100, 60]);
  expect(span(await past.events(20, 80))).toEqual([21, 80, 60]);
});
