import { isNotFound } from '../base/status-error.ts';
import type { Call } from './call.ts';
import { remove } from './delete.ts';
import { type ListPage, list } from './list.ts';
import type { ListRequest } from './list-options.ts';
import type { DeleteOptions } from './options.ts';

/** How many objects are deleted at the same time. */
const workers = 10;

/** Deletes what a list selects and answers that list. What another client removed meanwhile is no error. */
export async function removeCollection(call: Call, request: ListRequest, options: DeleteOptions): Promise<ListPage> {
  const page = await list(call, request);
  const waiting = page.items.values();
  const work = async () => {
    for (const { value } of waiting) {
      const one = { ...call, namespace: value.metadata.namespace ?? '', name: value.metadata.name ?? '' };
      await remove(one, options, { collection: true }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, page.items.length) }, work));
  return page;
}
