import { isMap, type Json } from '../../verbs/json.ts';
import type { Step } from '../play/scenario.ts';

/**
 * A list without what its page promises, where that depends on what others have: behind a page that is full there may be
 * objects of theirs, which count whether they are selected or not. In a namespace of the play's own there are none.
 */
export function withoutPromise(body: Json, { method, path, query }: Step): Json {
  const limit = limitOf(query);
  if (method !== 'GET' || limit === 0 || path.includes('/namespaces/<own>')) return body;
  if (isMap(body?.wire)) return isFull(body.wire[2], limit) ? { ...body, wire: withoutWirePromise(body.wire) } : body;
  if (!isFull(body?.items ?? body?.rows, limit)) return body;
  const { continue: _, remainingItemCount: __, ...metadata } = body.metadata ?? {};
  return { ...body, metadata };
}

const limitOf = (query: Step['query']): number =>
  Number((typeof query === 'string' ? new URLSearchParams(query).get('limit') : query?.['limit']) ?? 0);

const isFull = (items: Json, limit: number): boolean => Array.isArray(items) && items.length >= limit;

/** A list has its own metadata in field 1, the token in field 3 of that, and in 4 how many objects remain. */
function withoutWirePromise(wire: Json): Json {
  const [{ 3: _, 4: __, ...metadata } = {}] = wire[1] ?? [];
  return { ...wire, 1: [metadata] };
}
