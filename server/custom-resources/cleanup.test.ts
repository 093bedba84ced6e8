import { expect, it } from 'vitest';
import type { KubeObject } from '../base/kube-object.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { startCleaning } from './cleanup.ts';
import { cleanupFinalizer, type Definition } from './definition-shape.ts';

const key = 'apiextensions.k8s.io/customresourcedefinitions/ducks.example.com';
const duckKey = 'example.com/ducks/ns/donald';

const definition = (uid: string, more: Partial<KubeObject['metadata']> = {}) =>
  ({
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'ducks.example.com', uid, ...more },
    spec: { group: 'example.com', names: { plural: 'ducks', kind: 'Duck' } },
    status: { storedVersions: ['v1'] },
  }) as Definition;
const deleted = { finalizers: [cleanupFinalizer], deletionTimestamp: '2020-01-01T00:00:00Z' };
const duck = (uid: string): KubeObject => ({
  kind: 'Duck',
  apiVersion: 'example.com/v1',
  metadata: { name: 'donald', namespace: 'ns', uid },
});

/** What a cleaning calls of the store, and how often. */
const moments = [
  ['get', 1],
  ['count', 1],
  ['list', 1],
  ['get', 2],
  ['count', 2],
] as const;

it.each(
  moments.flatMap((moment) => [
    [...moment, 'another definition', definition('new')] as const,
    [...moment, 'another definition that is deleted as well', definition('new', deleted)] as const,
  ]),
)('after its %s number %d, what others made of %s is left as it is', async (step, call, _, next) => {
  const store = new MemoryStore({ freeze: true });
  const old = definition('old', deleted);
  await store.create(key, old);
  await store.create(duckKey, duck('old'));
  const replaceAll = async () => {
    for (const each of [duckKey, key]) await store.update(each, () => ({ remove: true })).catch(() => {});
    await store.create(key, next);
    await store.create(duckKey, duck('new'));
  };
  let calls = 0;
  const meddled = new Proxy(store, {
    get: (of, name) => {
      const method = Reflect.get(of, name);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        const answer = await method.apply(of, args);
        if (name === step && ++calls === call) await replaceAll();
        return answer;
      };
    },
  });
  const clock = { now: () => 1_000_000 };
  const cleaning = await startCleaning({ store: meddled, clock, key, definition: old, again: () => {} });
  await cleaning.run();
  const left = await Promise.all([store.get(key), store.get(duckKey)]);
  expect(left.map((each) => each?.value.metadata.uid)).toEqual(['new', 'new']);
  expect(left[0]?.value['status']).toEqual(next.status);
  cleaning.stop();
  await store.close();
});

it('reaches objects on every page, and waits for those that are held', async () => {
  const store = new MemoryStore({ freeze: true });
  const old = definition('old', deleted);
  await store.create(key, old);
  const keyOf = (n: number) => `example.com/ducks/ns/${String(n).padStart(4, '0')}`;
  const held = [keyOf(3), keyOf(700), keyOf(1199)];
  for (let n = 0; n < 1200; n++) {
    const { metadata, ...each } = duck(`${n}`);
    const finalizers = held.includes(keyOf(n)) ? ['example.com/hold'] : [];
    await store.create(keyOf(n), { ...each, metadata: { ...metadata, name: String(n), finalizers } });
  }
  let again = 0;
  const clock = { now: () => Date.UTC(2020, 0, 2) };
  const cleaning = await startCleaning({ store, clock, key, definition: old, again: () => void again++ });
  await cleaning.run();
  const { items } = await store.list('example.com/ducks/');
  expect(items.map((each) => [each.key, each.value.metadata.deletionTimestamp])).toEqual(
    held.map((each) => [each, '2020-01-02T00:00:00Z']),
  );
  expect(again).toBe(1197);
  expect((await store.get(key))?.value['status']).toMatchObject({
    conditions: [{ type: 'Terminating', status: 'True', reason: 'InstanceDeletionInProgress' }],
  });
  // A second run leaves what waits already as it is.
  await cleaning.run();
  expect(await store.list('example.com/ducks/')).toMatchObject({ items });
  for (const each of held) await store.update(each, () => ({ remove: true }));
  expect(again).toBe(1200);
  await cleaning.run();
  expect(await store.get(key)).toBeUndefined();
  cleaning.stop();
  await store.close();
});
