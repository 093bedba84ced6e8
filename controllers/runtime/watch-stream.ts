import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { ApiError, type StatusBody } from './api-error.ts';
import type { KubeObject } from './kube-object.ts';

export type WatchEvent<T> = { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: T };

/**
 * The events of a watch, one JSON text a line. What follows the last line break when the stream ends is half an event,
 * and dropped: the next watch begins where the last whole one ended.
 * @throws ApiError for an event that is an error; Error for a line that is no event, or when the connection breaks
 */
export async function* eventsOf<T extends KubeObject>(body: Readable): AsyncGenerator<WatchEvent<T>> {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  for await (const chunk of body) {
    const lines = decoder.write(chunk as Buffer).split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      parts.push(line);
      const text = parts.join('');
      parts = [];
      if (text) yield eventOf<T>(text);
    }
    if (rest) parts.push(rest);
  }
}

const types = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

function eventOf<T extends KubeObject>(line: string): WatchEvent<T> {
  const event = JSON.parse(line) as { type?: string; object?: unknown };
  if (event.type === 'ERROR') {
    const status = (event.object ?? {}) as StatusBody;
    throw new ApiError(status.code ?? 500, status, 'watch');
  }
  if (!types.has(event.type ?? '') || event.object === null || typeof event.object !== 'object') {
    throw new Error('a line of the watch is no event');
  }
  return event as WatchEvent<T>;
}
