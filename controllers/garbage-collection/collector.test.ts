import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ServedResource } from '../runtime/discovery.ts';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { Informers } from '../runtime/informer/informers.ts';
import { silentLog } from '../runtime/log.ts';
import { configMaps, customResourceDefinitions, type Resource } from '../runtime/resources.ts';
import { eventually, type Lab, startLab } from '../testing/lab.fixture.ts';
import { Collector } from './collector.ts';
import { define, make, makeReadable, makeUnreadable } from './custom-kinds.fixture.ts';

let lab: Lab;
let kites: Resource;
beforeAll(async () => {
  lab = await startLab();
  kites = await define(lab.client, 'kites', 'Kite');
  await make(lab.client, kites, { name: 'red' });
  await makeUnreadable(lab.client, kites, 'https://127.0.0.1:1/convert');
});
afterAll(() => lab.stop());

function startCollector() {
  const clock = new FakeClock();
  const ending = new AbortController();
  const parts = { client: lab.client, clock, log: silentLog, signal: ending.signal };
  const collector = new Collector({ ...parts, informers: new Informers(parts), changed: () => {} });
  return { clock, ending, collector };
}

const unlistedBy = (collector: Collector) => collector.waiting().filter((each) => each.includes('/'));

test('a kind that the server refuses to list is set aside at once, without waiting for its time to be over', async () => {
  const { clock, ending, collector } = startCollector();
  const began = clock.now();
  await collector.refresh();
  await collector.settled;
  expect(unlistedBy(collector)).toEqual(['/apis/example.com/v2/kites']);
  expect(clock.now()).toBe(began);
  ending.abort();
});

test('a kind that cannot be listed is set aside, holds up no other, and joins once it can', async () => {
  const { clock, ending, collector } = startCollector();
  const refreshed = collector.refresh();
  const unlisted = () => unlistedBy(collector);
  await eventually(async () => (unlisted().length === 1 && clock.next !== undefined ? true : undefined));
  clock.advance(10_000);
  await refreshed;
  await collector.settled;
  expect(unlisted()).toEqual(['/apis/example.com/v2/kites']);
  const { metadata } = await lab.client.create(configMaps, { metadata: { name: 'm' } }, { namespace: 'default' });
  await eventually(async () => collector.graph.find(metadata?.uid ?? ''));
  await makeReadable(lab.client, kites);
  await eventually(async () => {
    clock.advance(60_000);
    return unlisted().length === 0 ? true : undefined;
  });
  ending.abort();
});

test.each<[string, object, string]>([
  ['is what a reference names', {}, 'there'],
  ['has no other name', { name: 'other' }, 'absent'],
  ['is of no other kind', { kind: 'Secret' }, 'absent'],
  ['is of no other group', { apiVersion: 'apps/v1' }, 'unknown'],
  ['has no other uid', { uid: 'other' }, 'absent'],
])('an owner %s', async (_, differs, state) => {
  const { ending, collector } = startCollector();
  await collector.refresh();
  const resource: ServedResource = { ...configMaps, verbs: new Set() };
  const place = { namespace: 'default' };
  const { metadata } = await lab.client.create(configMaps, { metadata: { generateName: 'owner-' } }, place);
  await eventually(async () => collector.graph.find(metadata?.uid ?? ''));
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: metadata?.name ?? '', uid: metadata?.uid ?? '' };
  const dependent = { resource, object: { metadata: { ...place, name: 'd' } } };
  expect(await collector.stateOf(dependent, { ...reference, ...differs })).toBe(state);
  ending.abort();
});

test('a kind that goes is forgotten with its objects, and one of its name that comes later is followed anew', async () => {
  const watches = vi.spyOn(lab.client, 'watch');
  const endOfWatch = () => watches.mock.calls.findLast(([{ plural }]) => plural === 'boats')?.[2]?.signal;
  const { ending, collector } = startCollector();
  const found = async (uid = '') => collector.graph.find(uid);
  const made = async () => {
    const { metadata } = await make(lab.client, await define(lab.client, 'boats', 'Boat'), { name: 'sails' });
    await collector.refresh();
    await eventually(() => found(metadata?.uid));
    return metadata?.uid;
  };
  const earlier = await made();
  await lab.client.delete(customResourceDefinitions, { name: 'boats.example.com' });
  await eventually(async () => {
    await collector.refresh();
    return (await found(earlier)) ? undefined : true;
  });
  expect(endOfWatch()?.aborted).toBe(true);
  const later = await eventually(() => made().catch(() => undefined));
  expect(later).not.toBe(earlier);
  ending.abort();
});
