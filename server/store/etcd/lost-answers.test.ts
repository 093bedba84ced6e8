import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemTimers } from '../../base/time/timers.ts';
import { dataOf, object, writing } from '../store.fixture.ts';
import { CompactedError, type StoreEvent, UnavailableError } from '../store.ts';
import { EtcdClient } from './etcd-client.ts';
import { EtcdProcess, withoutEtcd } from './etcd-process.fixture.ts';
import { EtcdStore } from './etcd-store.ts';
import { LossyLine } from './lossy-line.fixture.ts';
import { plainLayout } from './plain-layout.fixture.ts';
import { encodeValue } from './value-format.ts';

const layout = plainLayout('/lost/');

describe.skipIf(withoutEtcd)('a line to etcd that breaks when etcd has answered', () => {
  let etcd: EtcdProcess;
  let line: LossyLine;
  let store: EtcdStore;
  let client: EtcdClient;
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    line = await LossyLine.to(etcd.url);
    store = await EtcdStore.open({ servers: [line.url], layout });
    client = new EtcdClient({
      servers: [etcd.url],
      timers: systemTimers,
      now: () => performance.now(),
    });
  });
  afterAll(async () => {
    await store?.close();
    client?.close();
    await line?.close();
    await etcd?.stop();
  });

  const at = async (key: string) =>
    (await client.range({ key: Buffer.from(layout.toEtcd(key)) })).kvs?.[0]?.modRevision ?? 0;
  const remove = (key: string) =>
    client.txn({ compare: [], success: [{ remove: { key: Buffer.from(layout.toEtcd(key)) } }], failure: [] });

  /** Does something while answers are lost, and breaks the line when etcd has carried it out. */
  async function lose<T>(act: () => Promise<T>, done: () => Promise<boolean>): Promise<PromiseSettledResult<T>> {
    line.loseAnswers();
    const settled = Promise.allSettled([act()]);
    await expect.poll(done, { interval: 5 }).toBe(true);
    line.break();
    return (await settled)[0];
  }

  it('leaves one creation, which is known to have been carried out', async () => {
    const outcome = await lose(
      () => store.create('things/made', object('made', 1)),
      async () => (await at('things/made')) > 0,
    );
    expect(outcome).toMatchObject({ status: 'fulfilled', value: { revision: await at('things/made') } });
  });

  it('makes nothing twice that others removed before it was asked for again', async () => {
    const told: StoreEvent[] = [];
    const watching = await store.watch('things/twice', await store.currentRevision(), (event) => told.push(event));
    const outcome = await lose(
      () => store.create('things/twice', object('twice', 1)),
      async () => {
        if ((await at('things/twice')) === 0) return false;
        await remove('things/twice');
        return true;
      },
    );
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) });
    await store.currentRevision();
    expect(told.map(({ current }) => dataOf(current))).toEqual([1, undefined]);
    expect(await at('things/twice')).toBe(0);
    watching.stop();
  });

  it('lets an update and a removal be carried out once', async () => {
    const { revision } = await store.create('things/changed', object('changed', 1));
    const updated = await lose(
      () => store.update('things/changed', writing(2)),
      async () => (await at('things/changed')) > revision,
    );
    expect(updated).toMatchObject({ status: 'fulfilled', value: { revision: await at('things/changed') } });
    expect(dataOf(await store.get('things/changed'))).toBe(2);
    const removed = await lose(
      () => store.update('things/changed', () => ({ remove: true })),
      async () => (await at('things/changed')) === 0,
    );
    // It may have been another one's removal.
    expect(removed).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) });
  });

  it('takes the state of now for the changes that etcd has forgotten meanwhile', async () => {
    for (const name of ['kept', 'changed', 'gone']) await store.create(`past/${name}`, object(name, 1));
    const lost: Error[] = [];
    await store.watch('past/', await store.currentRevision(), () => {}, { lost: (error) => lost.push(error) });
    const keyOf = (name: string) => Buffer.from(layout.toEtcd(`past/${name}`));
    const put = (name: string) => ({
      put: { key: keyOf(name), value: encodeValue(object(name, 2), 'application/json') },
    });
    line.loseAnswers();
    let revision = 0;
    for (const operation of [put('changed'), put('new'), { remove: { key: keyOf('gone') } }]) {
      const { header } = await client.txn({ compare: [], success: [operation], failure: [] });
      revision = header?.revision ?? 0;
    }
    await client.compact(revision);
    line.break();
    expect(await store.currentRevision()).toBe(revision);
    const { items } = await store.list('past/');
    expect(items.map((stored) => [stored.key, dataOf(stored)])).toEqual([
      ['past/changed', 2],
      ['past/kept', 1],
      ['past/new', 2],
    ]);
    expect(lost, 'who was told of changes').toMatchObject([expect.any(CompactedError)]);
    await store.create('past/later', object('later', 3));
    expect(dataOf(await store.get('past/later'))).toBe(3);
  });

  it('grants a lease once', async () => {
    await client.grantLease(77, 60);
    await client.grantLease(77, 60);
  });

  it('loses and repeats no change for who watches', async () => {
    const told: unknown[] = [];
    const watching = await store.watch('things/followed', await store.currentRevision(), ({ current }) =>
      told.push(dataOf(current)),
    );
    await store.create('things/followed', object('followed', 0));
    for (let n = 1; n <= 10; n++) {
      if (n % 3 === 0) line.break();
      await store.update('things/followed', writing(n));
    }
    await store.currentRevision();
    expect(told).toEqual(Array.from({ length: 11 }, (_, n) => n));
    watching.stop();
  });
});
