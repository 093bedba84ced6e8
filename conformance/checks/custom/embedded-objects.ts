import type { Json } from '../../verbs/json.ts';
import { embedded, free, listOf, mapOf, objectOf } from './schema-parts.ts';
import type { Shape } from './shape.ts';

const any = { apiVersion: 'v1', kind: 'Any' };

/** What an object within another says of itself is of the common form, though it need not have a name. */
const unfitMetadata: readonly Json[] = [
  { name: 'a/b' },
  { namespace: 'A_b' },
  { labels: { 'a b': 'c' } },
  { annotations: { 'a b': 'c' } },
];

/** Objects that stand within custom ones. */
export const embeddedObjects: readonly Shape[] = [
  {
    schema: { ...embedded, ...free },
    kept: [any, { ...any, metadata: { name: 'a' } }, { ...any, kind: 'any', more: [1] }],
    stored: [
      [
        { ...any, metadata: { other: 1 } },
        { ...any, metadata: {} },
      ],
    ],
    refused: [
      ...[{}, { kind: 'Any' }, { apiVersion: 'v1' }, { ...any, apiVersion: 'a/b/c' }, { ...any, kind: 'A_y' }],
      ...unfitMetadata.map((metadata) => ({ ...any, metadata })),
    ],
  },
  { schema: listOf({ ...embedded, ...free }), kept: [[any]], refused: [[any, { kind: 'Any' }], [null]] },
  { schema: mapOf({ ...embedded, ...free }), kept: [{ a: any }], refused: [{ a: {} }] },
  { schema: objectOf({ a: { ...embedded, ...free, default: any } }), stored: [[{}, { a: any }]] },
];
