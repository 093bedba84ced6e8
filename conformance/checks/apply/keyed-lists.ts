import type { Json } from '../../verbs/json.ts';

/** A spec with a list. */
export const listOf = (parts: Json): Json => ({ type: 'object', properties: { list: { type: 'array', ...parts } } });

/** Of objects with a key. */
export const keyed: Json = {
  items: { type: 'object', required: ['key'], properties: { key: { type: 'string' }, value: { type: 'string' } } },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['key'],
};

/** The same with keys of two fields. */
export const keyedTwice: Json = {
  items: {
    type: 'object',
    required: ['key', 'side'],
    properties: { key: { type: 'string' }, side: { type: 'integer' }, value: { type: 'string' } },
  },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['key', 'side'],
};
