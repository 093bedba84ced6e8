import { slip } from '../fault.ts';

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
    'request/watch-stream.ts',
    'return transforming(seen, metadataOnly, metadataOnly, resource);',
    'return transforming(seen, metadataOnly, (object: KubeObject) => object, resource);',
  ),
];
