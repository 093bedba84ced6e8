import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../base/kube-object.ts';
import { type Followed, follow } from './follow.ts';
import { MemoryStore } from './memory-store.ts';

const pods = { group: '', resource: 'pods' };
const object = (label: string): KubeObject => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'x', labels: { label } },
});
const labelOf = (stored: Followed['current']) => stored?.value.metadata.labels?.label;
const told = ({ key, previous, current }: Followed) => `${key} ${labelOf(previous)}>${labelOf(current)}`;

describe('following a kind', () => {
  test('hands over what exists, says when that is all, then each change, and stops', async () => {
    const store = new MemoryStore();
    await store.create('/pods/ns/a', object('1'));
    await store.create('/podtemplates/ns/a', object('1'));
    const seen: string[] = [];
    const following = await follow(store, pods, {
      each: (change) => seen.push(told(change)),
      listed: () => seen.push('listed'),
    });
    await store.update('/pods/ns/a', () => ({ write: object('2') }));
    await store.create('/pods/ns/b', object('1'));
    await store.update('/pods/ns/a', () => ({ remove: true }));
    following.stop();
    await store.create('/pods/ns/c', object('1'));
    expect(seen).toEqual([
      '/pods/ns/a undefined>1',
      'listed',
      '/pods/ns/a 1>2',
      '/pods/ns/b undefined>1',
      '/pods/ns/a 2>undefined',
    ]);
  });

  test('tells changes apart from what exists to one who asks', async () => {
    const store = new MemoryStore();
    await store.create('apps/deployments/ns/a', object('1'));
    const seen: string[] = [];
    await follow(store, 'apps/', {
      each: ({ key }) => seen.push(`is ${key}`),
      changed: ({ key }) => seen.push(`changed ${key}`),
    });
    await store.create('apps/deployments/ns/b', object('1'));
    expect(seen).toEqual(['is apps/deployments/ns/a', 'changed apps/deployments/ns/b']);
  });

  test('a write while the list is read is told once', async () => {
    const store = new MemoryStore();
    const list = store.list.bind(store);
    store.list = async (...args) => {
      const result = await list(...args);
      await store.create('/pods/ns/late', object('1'));
      return result;
    };
    const seen: string[] = [];
    await follow(store, pods, { each: ({ key }) => seen.push(key) });
    expect(seen).toEqual(['/pods/ns/late']);
  });
});
