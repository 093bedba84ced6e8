import { slip, slips } from '../fault.ts';

/** What who watches is told of what is there already, and of how far he is. */
export default [
  slip(
    'what was changed before a watch without a version began is told as modified',
    ['watch'],
    'watch/watcher.ts',
    "if (matches(stored)) yield { type: 'ADDED', stored };",
    "if (matches(stored)) yield { type: (stored.value.metadata.generation ?? 1) > 1 ? 'MODIFIED' : 'ADDED', stored };",
  ),
  slip(
    'a bookmark where metadata alone is watched is of the kind of the objects',
    ['watch'],
    'request/answer/watch-stream.ts',
    'return transforming(seen, metadataOnly, metadataOnly, resource);',
    'return transforming(seen, metadataOnly, (object: KubeObject) => object, resource);',
  ),
  slips(
    'a watch begins with no more than its limit of what is there',
    ['watch'],
    [
      {
        file: 'watch/watcher.ts',
        from: '  readonly matches: Filter;\n',
        to: '  readonly matches: Filter;\n  readonly limit?: number | undefined;\n',
      },
      {
        file: 'watch/watcher.ts',
        from: 'await store.list(prefix, { any });',
        to: 'await store.list(prefix, { any, limit: Math.max(0, this.#request.limit ?? 0) });',
      },
      {
        file: 'request/verbs/watch.ts',
        from: '      matches: selection.matches,\n',
        to: '      matches: selection.matches,\n      limit: parameters.limit,\n',
      },
    ],
  ),
  slip(
    'what is made between the list and the changes with which a watch begins is not told',
    ['watch'],
    'watch/watcher.ts',
    'this.#start = this.#historyEnd = now;',
    `await new Promise((listed) => setTimeout(listed, 10));
      this.#start = this.#historyEnd = Math.max(now, await store.currentRevision());`,
  ),
];
