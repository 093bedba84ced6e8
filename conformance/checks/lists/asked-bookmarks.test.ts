import { expect, test } from 'vitest';
import type { Query } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import { marksAsAsked } from './asked-bookmarks.ts';

/** Where bookmarks are only of what is newer than a watch, and others write while watches begin. */
function busyServer(isAsked: (word: unknown) => boolean): Collection {
  let [version, made, begun] = [0, 0, 0];
  const watch = async ({ allowWatchBookmarks }: Query) => {
    if (++begun === 3) version++;
    const since = version;
    const marks = () => (isAsked(allowWatchBookmarks) && version > since ? [{ type: 'BOOKMARK' }] : []);
    return {
      ended: async () => undefined,
      get events() {
        return [...Array.from({ length: made }, () => ({ type: 'ADDED' })), ...marks()];
      },
    };
  };
  const objects = { create: async () => [version++, made++], viewed: () => objects, watch };
  return objects as unknown as Collection;
}

test('what others write while watches begin does not matter', async () => {
  const objects = busyServer((word) => word === 'true' || word === '1');
  await expect(marksAsAsked({ objects, expect }, 'namespace')).resolves.toBeUndefined();
});

test.each([
  ['only who asks by true', (word: unknown) => word === 'true', 'allowWatchBookmarks=1'],
  ['also who does not want them', (word: unknown) => word !== undefined, 'false'],
  ['everybody', () => true, 'timeoutSeconds'],
])('a server may not send bookmarks to %s', async (_, isAsked, words) => {
  await expect(marksAsAsked({ objects: busyServer(isAsked), expect }, 'namespace')).rejects.toThrow(words);
});
