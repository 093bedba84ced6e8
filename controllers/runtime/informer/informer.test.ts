import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, type Lab, startLab } from '../../testing/lab.fixture.ts';
import { Client } from '../client.ts';
import { systemClock } from '../clock.ts';
import { connect } from '../connection/connection.ts';
import { keyOf, versionOf } from '../kube-object.ts';
import { silentLog } from '../log.ts';
import { type ConfigMap, configMaps } from '../resources.ts';
import type { Change } from './cache.ts';
import { Informer } from './informer.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.stop());

const disconnects = 500;

async function follow(kubeconfig: string) {
  const ending = new AbortController();
  const { signal } = ending;
  const connection = await connect({ text: kubeconfig });
  const client = new Client({ connection, clock: systemClock, signal, userAgent: 'test' });
  const informer = new Informer({
    client,
    resource: configMaps,
    selection: { namespace: 'default' },
    clock: systemClock,
    log: silentLog,
    signal,
    // The shortest waits there are, so that many disconnects take little time.
    random: () => 0,
  });
  const changes: Change<ConfigMap>[] = [];
  informer.cache.listen((change) => changes.push(change));
  void informer.run();
  await informer.synced;
  const stop = () => {
    ending.abort();
    connection.close();
  };
  return { informer, changes, stop };
}

const textOf = (objects: readonly ConfigMap[]) =>
  objects.map((map) => `${keyOf(map)} ${versionOf(map)} ${JSON.stringify(map.data)}`).sort();

test('a cache equals the list after 500 disconnects at random moments, and no change is told twice', async () => {
  const relay = await lab.relay();
  const { informer, changes, stop } = await follow(relay.kubeconfig);
  let cuts = 0;
  let writes = 0;
  const names = Array.from({ length: 20 }, (_, index) => `map-${index}`);
  const writer = async () => {
    while (cuts < disconnects) {
      const name = names[Math.floor(Math.random() * names.length)] as string;
      const data = { value: 'x'.repeat(Math.random() * 3000) };
      const place = { namespace: 'default', name };
      const chance = Math.random();
      if (chance < 0.2) await lab.client.delete(configMaps, place).catch(() => {});
      else if (chance < 0.6) await lab.client.patch(configMaps, place, { data }).catch(() => {});
      else await lab.client.create(configMaps, { metadata: place, data }, { namespace: 'default' }).catch(() => {});
      writes += 1;
    }
  };
  const cutter = async () => {
    while (cuts < disconnects) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      relay.cut();
      cuts += 1;
    }
  };
  await Promise.all([writer(), writer(), cutter()]);
  const { items } = await lab.client.list(configMaps, { namespace: 'default' });
  await eventually(async () => (`${textOf(informer.cache.all())}` === `${textOf(items)}` ? true : undefined));
  expect(writes).toBeGreaterThan(disconnects);
  const told = changes.map(
    ({ type, object }) => `${type === 'deleted' ? 'deleted' : 'is'} ${object.metadata?.uid} ${versionOf(object)}`,
  );
  expect(new Set(told).size).toBe(told.length);
  stop();
});

test('every single change is told once, in order, across disconnects', async () => {
  const relay = await lab.relay();
  const namespace = 'default';
  const { changes, stop } = await follow(relay.kubeconfig);
  const counter = await lab.client.create(
    configMaps,
    { metadata: { name: 'counter' }, data: { n: '0' } },
    { namespace },
  );
  for (let n = 1; n <= 200; n += 1) {
    await lab.client.patch(configMaps, { namespace, name: 'counter' }, { data: { n: String(n) } });
    if (n % 10 === 0) relay.cut();
  }
  const own = () =>
    changes
      .filter(({ object }) => object.metadata?.uid === counter.metadata?.uid)
      .map(({ object }) => Number(object.data?.['n']));
  await eventually(async () => (own().at(-1) === 200 ? true : undefined));
  expect(own()).toEqual(Array.from({ length: 201 }, (_, n) => n));
  stop();
});
