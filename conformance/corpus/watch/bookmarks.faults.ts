import { edited } from '../../sabotage/edited.ts';
import { changeEvent } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { watches } from '../matches.ts';
import { without } from '../meddling.ts';

/** Bookmarks. */
export default [
  fault(
    'bookmarks of custom types are of the kind of their list',
    ['watch'],
    changeEvent(
      '',
      (event) => [event.type === 'BOOKMARK' ? edited(event, ['object', 'kind'], (kind) => `${kind}List`) : event],
      { ...watches, path: /touchstone\.example/ },
    ),
  ),
  fault(
    'bookmarks tell the namespace that is watched',
    ['watch'],
    changeEvent(
      '',
      (event) => [
        event.type === 'BOOKMARK' ? edited(event, ['object', 'metadata', 'namespace'], () => 'default') : event,
      ],
      { ...watches, path: /\/namespaces\/[^/]+\// },
    ),
  ),
  fault(
    'bookmarks do not tell their kind',
    ['watch'],
    changeEvent(
      '',
      (event) => [event.type === 'BOOKMARK' ? { ...event, object: without('kind', event.object) } : event],
      watches,
    ),
  ),
  fault(
    'bookmarks bear version 0',
    'watch',
    changeEvent(
      '',
      (event) =>
        event.type === 'BOOKMARK'
          ? [{ ...event, object: { ...event.object, metadata: { resourceVersion: '0' } } }]
          : [event],
      watches,
    ),
  ),
  fault(
    'bookmarks come unasked',
    'watch',
    changeEvent(
      '',
      (event) => [
        event,
        {
          type: 'BOOKMARK',
          object: {
            kind: event.object.kind,
            apiVersion: event.object.apiVersion,
            metadata: { resourceVersion: event.object.metadata?.resourceVersion },
          },
        },
      ],
      { ...watches, query: { watch: true, allowWatchBookmarks: false } },
    ),
  ),
  slip(
    'bookmarks are told as modifications in protobuf',
    ['watch', 'content'],
    'request/answer/protobuf-stream.ts',
    "event('BOOKMARK',",
    "event('MODIFIED',",
  ),
  slip(
    'bookmarks stay where the watch began',
    ['watch'],
    'watch/watcher.ts',
    'this.#delivery.write(this.#request.encoder.bookmark(progress));',
    'this.#delivery.write(this.#request.encoder.bookmark(this.#start));',
  ),
  slip(
    'a bookmark has no kind',
    ['watch'],
    'watch/event-encoder.ts',
    '  kind,\n  apiVersion,\n  metadata: { resourceVersion: String(revision), creationTimestamp: null },',
    '  metadata: { resourceVersion: String(revision), creationTimestamp: null },',
  ),
  slip(
    'a bookmark is one version ahead',
    ['watch'],
    'watch/watcher.ts',
    'this.#request.encoder.bookmark(progress)',
    'this.#request.encoder.bookmark(progress + 1)',
  ),
  slip(
    'the last bookmark of a watch bears the version of its beginning',
    ['watch', 'params'],
    'watch/watcher.ts',
    'if (this.#request.bookmarks) this.#writeBookmark(this.#finalProgress);',
    'if (this.#request.bookmarks) this.#writeBookmark(this.#start);',
  ),
  slip(
    'a watch at its end sends a bookmark also to who asked for none',
    ['watch'],
    'watch/watcher.ts',
    'if (this.#request.bookmarks) this.#writeBookmark(this.#finalProgress);',
    'this.#writeBookmark(this.#finalProgress);',
  ),
  slip(
    'who says that he takes no bookmarks gets some',
    ['watch'],
    'request/verbs/watch.ts',
    "query.flag('allowWatchBookmarks') === true,",
    "query.has('allowWatchBookmarks'),",
  ),
  slip(
    'a bookmark does not say that it has no time of creation',
    ['watch'],
    'watch/event-encoder.ts',
    'metadata: { resourceVersion: String(revision), creationTimestamp: null },',
    'metadata: { resourceVersion: String(revision) },',
  ),
  slip(
    'who takes bookmarks by a one gets none',
    ['watch'],
    'request/verbs/watch.ts',
    "query.flag('allowWatchBookmarks') === true",
    "query.get('allowWatchBookmarks') === 'true'",
  ),
];
