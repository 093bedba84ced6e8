import { changeEvent } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { watches } from '../matches.ts';

const watchStream = 'request/answer/watch-stream.ts';

const beyondAscii = (text: string): string => text.replaceAll(/[^\0-\x7f]/gu, '?');

/** Watches in protobuf, as a Table or of metadata alone, and what an event is made of. */
export default [
  fault(
    'texts beyond ASCII are broken where they are watched',
    ['watch'],
    changeEvent('', (event) => [JSON.parse(beyondAscii(JSON.stringify(event)))], watches),
  ),
  fault(
    'the objects in a watch of custom types lack their kind',
    ['watch'],
    changeEvent('', ({ type, object: { kind: _, ...object } }) => [{ type, object }], {
      ...watches,
      path: /touchstone\.example/,
    }),
  ),
  slip(
    'removals are told as modifications where metadata alone is watched',
    ['watch', 'content'],
    watchStream,
    'const line = async () => jsonLine(type,',
    "const line = async () => jsonLine(type === 'DELETED' ? 'MODIFIED' : type,",
  ),
  slip(
    'a watch as a Table never has columns',
    ['watch', 'content'],
    watchStream,
    'firstChange: transforming(seen, row(true)',
    'firstChange: transforming(seen, row(false)',
  ),
  slip(
    'a watch of metadata alone tells of whole objects',
    ['watch', 'content'],
    watchStream,
    'if (!transform) return jsonEncoder',
    "if (transform?.as !== 'Table') return jsonEncoder",
  ),
  slip(
    'an event is encoded for the first who asks, whatever its type',
    ['watch', 'service'],
    'watch/event-encoder.ts',
    'const known = last.get(type);',
    "const known = last.get('ADDED') ?? last.get(type);",
  ),
  slip(
    'a watch of metadata alone in protobuf tells of whole objects',
    ['watch', 'content'],
    'request/answer/protobuf-stream.ts',
    '(transform ? partial(object, transform.version) : object)',
    'object',
  ),
  slip(
    'changes are told as additions in protobuf',
    ['watch', 'content'],
    'request/answer/protobuf-stream.ts',
    'event(type, shown(value));',
    "event(type === 'MODIFIED' ? 'ADDED' : type, shown(value));",
  ),
  slip(
    'a watch of metadata alone gets custom objects whole',
    ['watch', 'content'],
    'request/answer/watch-stream.ts',
    "if (transform.as !== 'Table') return transforming(seen, metadataOnly,",
    "if (transform.as !== 'Table') return transforming(seen, resource.custom ? (object) => object : metadataOnly,",
  ),
  slip(
    'a watch of metadata alone in protobuf gets whole objects',
    ['content', 'watch'],
    'request/answer/protobuf-stream.ts',
    '(transform ? partial(object, transform.version) : object)',
    '(transform === null ? partial(object, "v1") : object)',
  ),
  slip(
    'what was removed is told in the version in which it was stored',
    ['watch', 'service'],
    'watch/event-encoder.ts',
    'const seen = view ? view(stored) : stored;',
    "const seen = view && type !== 'DELETED' ? view(stored) : stored;",
  ),
  slip(
    'what is new is told in the version in which it was stored',
    ['watch', 'service'],
    'watch/event-encoder.ts',
    'const seen = view ? view(stored) : stored;',
    "const seen = view && type !== 'ADDED' ? view(stored) : stored;",
  ),
  slip(
    'a watch as a Table always tells the metadata of its objects',
    ['watch', 'content'],
    'request/answer/watch-stream.ts',
    'columns: boolean, included = include)',
    "columns: boolean, included = 'Metadata')",
  ),
  slip(
    'a watch in protobuf shows objects in the version in which they are stored',
    ['watch', 'content', 'event'],
    'request/answer/protobuf-stream.ts',
    'const seen = view(resource, stored);',
    'const seen = stored as Stored | Promise<Stored>;',
  ),
  slip(
    'a watch as Tables includes what the first such watch of its kind asked for',
    ['watch', 'content'],
    'request/answer/watch-stream.ts',
    "${transform?.version ?? ''} ${include}`;",
    "${transform?.version ?? ''}`;",
  ),
  slip(
    'a watch as Tables tells no version but in its rows',
    ['content'],
    'request/answer/watch-stream.ts',
    'metadata: { resourceVersion: source.shown.metadata.resourceVersion },',
    'metadata: {},',
  ),
];
