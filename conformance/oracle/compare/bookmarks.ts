import { isMap, type Json } from '../../verbs/json.ts';
import type { Normal } from './normal.ts';

/** A server sends bookmarks when it likes: how they look is compared where both sent one. */
export function withSharedBookmarks(one: Normal, other: Normal): [Normal, Normal] {
  const isShared = [one, other].every(({ body }) => body?.bookmark !== undefined);
  return [one, other].map((normal) => shown(normal, isShared)) as [Normal, Normal];
}

function shown(normal: Normal, isShared: boolean): Normal {
  const { body } = normal;
  if (!body?.events || body.bookmark === undefined) return normal;
  const { bookmark, ...rest } = body;
  return { ...normal, body: isShared ? { ...rest, bookmark: formOf(bookmark) } : rest };
}

/** In protobuf metadata is field 1 of an object, and its version field 6 of that. */
const versionField = '6';

/** Its version is the server's own, and the columns of a table come with whatever comes first. */
function formOf(value: Json, isWire = false): Json {
  if (Array.isArray(value)) return value.map((item) => formOf(item, isWire));
  if (!isMap(value)) return value;
  const members = Object.entries<Json>(value).filter(([name]) => name !== 'columnDefinitions');
  return Object.fromEntries(
    members.map(([name, item]) => {
      const isVersion = name === 'resourceVersion' || (isWire && name === versionField);
      return [name, isVersion ? '<version>' : formOf(item, isWire || name.startsWith('wire'))];
    }),
  );
}
