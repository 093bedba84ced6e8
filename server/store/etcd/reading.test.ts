import { expect, it } from 'vitest';
import type { EtcdClient } from './etcd-client.ts';
import type { KeyValue, RangeRequest } from './messages.ts';
import { rangeOf } from './ranges.ts';
import { eachOf } from './reading.ts';

/** How many keys each answer of an etcd has that keeps values of these sizes, in the order of their keys. */
async function pagesOf(sizes: readonly number[]): Promise<number[]> {
  const all = sizes.map((size, n) => ({ key: Buffer.from(`/r/${10_000 + n}`), value: Buffer.alloc(size) }) as KeyValue);
  const pages: number[] = [];
  const client = {
    async range({ key, limit = 0 }: RangeRequest) {
      const left = all.filter((each) => each.key.compare(key) >= 0);
      const kvs = left.slice(0, limit);
      pages.push(kvs.length);
      return { kvs, header: { revision: 7 }, more: left.length > kvs.length };
    },
  } as unknown as EtcdClient;
  const taken: KeyValue[] = [];
  expect(await eachOf(client, rangeOf('/r/'), 0, (kv) => void taken.push(kv))).toEqual({ revision: 7 });
  expect(taken).toEqual(all);
  return pages;
}

const kilobyte = 1024;

it.each([
  ['small', Array(700).fill(kilobyte), [32, 250, 250, 168]],
  ['large, as of what there was', Array(40).fill(1024 * kilobyte), [32, 3, 3, 2]],
  ['larger than all may be together', Array(34).fill(5 * 1024 * kilobyte), [32, 1, 1]],
  ['small, then large', [...Array(32).fill(kilobyte), ...Array(260).fill(100 * kilobyte)], [32, 250, 10]],
])('so many values are asked for at once that are %s', async (_, sizes, pages) => {
  expect(await pagesOf(sizes)).toEqual(pages);
});
