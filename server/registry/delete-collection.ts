import { badRequest, isNotFound } from '../base/status-error.ts';
import { isOver, letOthers } from '../base/turns/loop-turn.ts';
import type { Call } from './call.ts';
import { remove } from './delete.ts';
import { type ListPage, list } from './list.ts';
import type { ListRequest } from './list-options.ts';
import type { DeleteOptions } from './options.ts';

/**
 * Deletes what a list selects, one after the other in its order, and answers that list. What another client removed
 * meanwhile is no error; what is behind one that is refused stays.
 * @throws 400 without a namespace where there is something in one
 */
export async function removeCollection(call: Call, request: ListRequest, options: DeleteOptions): Promise<ListPage> {
  const page = await list(call, request);
  // Lists are of all namespaces as well, but what goes is in one.
  if (call.resource.namespaced && !call.namespace && page.items.length > 0)
    throw badRequest('Namespace parameter required.');
  for (const { value } of page.items) {
    // Where nothing has to be waited for, all of it would be one turn.
    if (isOver()) await letOthers();
    const one = { ...call, name: value.metadata.name ?? '' };
    await remove(one, options, { collection: true }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
  return page;
}
