import type { Collection, View } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Watch } from '../../verbs/watch.ts';

/** What asks for no bookmarks. */
const plain = { timeoutSeconds: 3 };
const unasked = [plain, ...['false', '0'].map((allowWatchBookmarks) => ({ ...plain, allowWatchBookmarks }))];

/** Watches that ask for bookmarks by this word: of two one may miss its own. */
const askedBy = (objects: Collection, allowWatchBookmarks: string): Promise<Watch[]> =>
  Promise.all([4, 4].map((timeoutSeconds) => objects.watch({ allowWatchBookmarks, timeoutSeconds })));

/** Whether one of them was sent a bookmark until its end. */
async function areMarked(watches: readonly Watch[]): Promise<boolean> {
  for (const watch of watches) await watch.ended(10_000);
  return watches.some(({ events }) => events.some(({ type }) => type === 'BOOKMARK'));
}

/** Who asks for bookmarks by `1` is sent some as who asks by `true` is; who does not ask is sent none. */
export async function marksAsAsked(
  { objects, expect }: Pick<RuleContext, 'expect'> & { readonly objects: Collection },
  view: View,
): Promise<void> {
  await objects.create();
  const viewed = objects.viewed(view);
  const [byTrue, byOne, others] = await Promise.all([
    askedBy(viewed, 'true'),
    askedBy(viewed, '1'),
    Promise.all(unasked.map((query) => viewed.watch(query))),
  ]);
  // A genuine server sends bookmarks two seconds before the end, and only of what is newer than what a watch began with.
  await objects.create();
  if (await areMarked(byTrue))
    expect(await areMarked(byOne), 'who asks by allowWatchBookmarks=1 is sent some as well').toBe(true);
  for (const [index, watch] of others.entries()) {
    await watch.ended(8_000);
    const types = watch.events.map(({ type }) => type);
    expect(types, JSON.stringify(unasked[index])).toEqual(['ADDED', 'ADDED']);
  }
}
