import { expect, it } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import { dataOf, keysOf, type MakeStore, object, removing, writing } from '../store.fixture.ts';
import { KeyExistsError, KeyMissingError } from '../store.ts';

/** Writes do what they say, and reads see them. */
export function writeContract(makeStore: MakeStore): void {
  it('begins empty, at a revision above 0', async () => {
    const store = await makeStore();
    expect(await store.currentRevision()).toBeGreaterThan(0);
    expect(await store.get('a')).toBeUndefined();
    expect((await store.list('')).items).toEqual([]);
    expect(await store.count('')).toBe(0);
  });

  it('stamps what it stores with the revision of the write', async () => {
    const store = await makeStore();
    const before = await store.currentRevision();
    const stored = await store.create('a', object('a'));
    expect(stored.revision).toBe(before + 1);
    expect(stored.key).toBe('a');
    expect(stored.value.metadata.resourceVersion).toBe(String(stored.revision));
    expect(await store.currentRevision()).toBe(stored.revision);
  });

  it('overwrites a resourceVersion that somebody sent', async () => {
    const store = await makeStore();
    const stored = await store.create('a', { ...object('a'), metadata: { name: 'a', resourceVersion: '999' } });
    expect(stored.value.metadata.resourceVersion).toBe(String(stored.revision));
  });

  it('encodes compactly, with kind and apiVersion first wherever they stood', async () => {
    const store = await makeStore();
    const value = { 7: 'seven', metadata: { name: 'a' }, apiVersion: 'v1', big: 2n ** 60n, kind: 'Thing', text: 'é' };
    const stored = await store.create('a', value as KubeObject);
    expect(stored.bytes.toString()).toBe(
      `{"kind":"Thing","apiVersion":"v1","7":"seven","metadata":{"name":"a","resourceVersion":"${stored.revision}"},"big":${2n ** 60n},"text":"é"}`,
    );
    expect(stored.bytes).toBe(stored.bytes);
  });

  it('lets a read that starts after a write see it', async () => {
    const store = await makeStore();
    for (let n = 0; n < 20; n++) {
      if (n === 0) await store.create('a', object('a', n));
      else await store.update('a', writing(n));
      expect(dataOf(await store.get('a'))).toBe(n);
      expect((await store.list('')).items.map(dataOf)).toEqual([n]);
    }
  });

  it('refuses to create a key twice and shows what is there', async () => {
    const store = await makeStore();
    const first = await store.create('a', object('a', 1));
    const error = await store.create('a', object('a', 2)).catch((caught) => caught);
    expect(error).toBeInstanceOf(KeyExistsError);
    expect(error.current.revision).toBe(first.revision);
    expect(await store.currentRevision()).toBe(first.revision);
  });

  it('creates a key once when many try', async () => {
    const store = await makeStore();
    const tries = Array.from({ length: 20 }, (_, n) => store.create('a', object('a', n)).catch((error) => error));
    const results = await Promise.all(tries);
    expect(results.filter((result) => !(result instanceof KeyExistsError))).toHaveLength(1);
  });

  it('creates a key again after its removal', async () => {
    const store = await makeStore();
    await store.create('a', object('a', 1));
    await store.update('a', removing);
    const again = await store.create('a', object('a', 2));
    expect(dataOf(await store.get('a'))).toBe(2);
    expect(await store.currentRevision()).toBe(again.revision);
  });

  it('writes, keeps and removes as the change says', async () => {
    const store = await makeStore();
    const created = await store.create('a', object('a', 1));
    const kept = await store.update('a', () => ({ keep: true }));
    expect(kept).toMatchObject({ outcome: 'kept', revision: created.revision });
    expect(await store.currentRevision()).toBe(created.revision);
    const written = await store.update('a', writing(2));
    expect(written).toMatchObject({ outcome: 'written', revision: created.revision + 1 });
    expect(written.stored.revision).toBe(written.revision);
    const answer = object('a', 'bye');
    const removed = await store.update('a', () => ({ remove: true, answer }));
    expect(removed).toMatchObject({ outcome: 'removed', revision: written.revision + 1, answer });
    expect(removed.stored.revision).toBe(written.revision);
    expect(await store.get('a')).toBeUndefined();
  });

  it('has nothing to update where no key is', async () => {
    const store = await makeStore();
    await expect(store.update('a', writing(1))).rejects.toBeInstanceOf(KeyMissingError);
    await store.create('a', object('a'));
    await store.update('a', removing);
    await expect(store.update('a', writing(1))).rejects.toBeInstanceOf(KeyMissingError);
  });

  it('writes nothing when the change throws', async () => {
    const store = await makeStore();
    const created = await store.create('a', object('a', 1));
    const refuse = () => {
      throw new RangeError('no');
    };
    await expect(store.update('a', refuse)).rejects.toBeInstanceOf(RangeError);
    await expect(store.update('a', async () => refuse())).rejects.toBeInstanceOf(RangeError);
    expect(await store.currentRevision()).toBe(created.revision);
  });

  it.each(['__proto__', 'constructor', 'a/../b', '', 'ключ', '🔑'])(
    'takes %j for a key like any other',
    async (key) => {
      const store = await makeStore();
      expect(await store.get(key)).toBeUndefined();
      await store.create(key, object('x', 1));
      expect(dataOf(await store.get(key))).toBe(1);
      expect(keysOf((await store.list(key)).items)).toEqual([key]);
    },
  );
}
