import { orderOf } from '../key-index.ts';
import type { ListOptions, ListResult, Stored } from '../store.ts';
import { rangeEndOf, rangeOf } from './ranges.ts';
import { eachOf, type ReadingOptions, storedOf } from './reading.ts';

interface Asked extends ListOptions {
  readonly revision: number;
}

/** A list at a revision that only etcd holds. @throws CompactedError, UnreadableError */
export async function listAt(
  options: ReadingOptions,
  prefix: string,
  { revision, limit = 0, after }: Asked,
): Promise<ListResult> {
  const { client, layout } = options;
  const folder = layout.prefixInEtcd(prefix);
  const range = rangeOf(folder ?? layout.root);
  if (folder !== undefined && after?.startsWith(prefix)) range.key = rangeEndOf(Buffer.from(layout.toEtcd(after)));
  const found: Stored[] = [];
  await eachOf(client, range, revision, (kv) => {
    if (!layout.fromEtcd(kv.key.toString())?.startsWith(prefix)) return;
    const stored = storedOf(options, kv);
    if (stored) found.push(stored);
  });
  const start = after === undefined ? '' : orderOf(after);
  const sorted = found
    .map((stored) => ({ stored, order: orderOf(stored.key) }))
    .filter(({ order }) => after === undefined || order > start)
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  const items = (limit > 0 ? sorted.slice(0, limit) : sorted).map(({ stored }) => stored);
  return { items, revision, remaining: sorted.length - items.length };
}
