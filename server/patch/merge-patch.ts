import { cloneJson } from '../base/clone.ts';
import { isJsonObject, type JsonObject, memberOf, putMember } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import { MalformedPatchError } from './patch-error.ts';

/**
 * Merges a patch into a value by RFC 7386: null removes, objects merge, all else replaces. Objects inside of lists
 * lose their null members, too.
 * @returns a fresh value that shares nothing with its arguments
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (Array.isArray(patch)) return patch.map((item) => (item === null ? null : mergePatch(undefined, item)));
  if (!isJsonObject(patch)) return cloneJson(patch);
  const result: JsonObject = {};
  const base = isJsonObject(target) ? target : {};
  for (const key of Object.keys(base)) {
    if (!Object.hasOwn(patch, key)) putMember(result, key, cloneJson(base[key] as Json));
    else if (patch[key] !== null) putMember(result, key, mergePatch(base[key], patch[key] as Json));
  }
  for (const key of Object.keys(patch)) {
    if (patch[key] !== null && memberOf(base, key) === undefined) {
      putMember(result, key, mergePatch(undefined, patch[key] as Json));
    }
  }
  return result;
}

/**
 * Merges a patch into an object.
 * @throws MalformedPatchError the patch is not an object
 */
export function applyMergePatch(document: JsonObject, patch: Json): JsonObject {
  if (!isJsonObject(patch)) throw new MalformedPatchError('error decoding patch: a merge patch is an object');
  return mergePatch(document, patch) as JsonObject;
}
