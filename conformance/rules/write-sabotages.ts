import type { Sabotage } from '../sabotage/sabotage.ts';
import { changeRequest, sabotage } from '../sabotage/transforms.ts';
import { isMap, type Json } from '../verbs/json.ts';

const isEmpty = (value: Json): boolean => isMap(value) && Object.keys(value).length === 0;

const placeBefore = (path: string): string => path.replace(/\d+$/, (place) => String(Number(place) - 1));

/** Of a list the places count that there are before what is moved is taken out. */
export const movesTooShort: Sabotage = changeRequest(
  'moves what goes towards the end of a list one place too short',
  (operations: Json) =>
    operations.map((one: Json) => {
      const [from, to] = [one.from, one.path].map((path) => Number(String(path).split('/').at(-1)));
      return one.op === 'move' && Number(from) < Number(to) ? { ...one, path: placeBefore(one.path) } : one;
    }),
  { method: 'PATCH', header: { 'content-type': /json-patch/ } },
);

const withoutEmpty = (value: Json): Json =>
  isMap(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, each]) => !isEmpty(each))
          .map(([key, each]) => [key, withoutEmpty(each)]),
      )
    : value;

/** A map in which nothing is to change is no change. */
export const mergesNoEmptyMaps: Sabotage = changeRequest('merges no empty maps', withoutEmpty, {
  method: 'PATCH',
  header: { 'content-type': /merge-patch/ },
});

const withoutNulls = (value: Json, inList: boolean): Json => {
  if (Array.isArray(value)) return value.map((one) => withoutNulls(one, true));
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries<Json>(value).filter(([, one]) => !inList || one !== null);
  return Object.fromEntries(members.map(([name, one]) => [name, withoutNulls(one, inList)]));
};

/** Null for a member of an element of a list takes nothing away. */
export const keepsWhatElementsLose: Sabotage = changeRequest(
  'passes over null in elements',
  (body) => withoutNulls(body, false),
  { method: 'PATCH', header: { 'content-type': /strategic/ } },
);

/** Finds an object by any name that differs in one sign, as a store that takes an underscore for any. */
export const readsByPattern = sabotage('takes an underscore in a name for a dash', () => ({
  request: (request) =>
    request.method === 'GET' && /\/[^/]*_[^/]*$/.test(request.path)
      ? { ...request, path: request.path.replace(/[^/]*$/, (name) => name.replaceAll('_', '-')) }
      : request,
}));

/** Names that differ in capitals alone are one to it. */
export const readsInSmallLetters: Sabotage = sabotage('reads paths in small letters', () => ({
  request: (request) => ({ ...request, path: request.path.toLowerCase() }),
}));
