import { all, changeAnswer, changeMethod, changeRequest, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip } from '../fault.ts';
import { jsonOf, mishear } from '../meddling.ts';

const mergePatch = 'patch/merge-patch.ts';

const noNulls = (value: Json): Json =>
  JSON.parse(JSON.stringify(value, (_, part) => (part === null ? undefined : part)));

/** A value without what a patch takes away. */
const withoutNulls = (value: Json, patch: Json): Json => {
  if (typeof value !== 'object' || typeof patch !== 'object' || !value || !patch || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([key]) => patch[key] !== null);
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutNulls(part, patch[key])]));
};

const merges = { method: 'PATCH', header: { 'content-type': /merge-patch/ } };

/** Merge patches, and what is taken for one. */
export default [
  fault(
    'a patch of no known type is a merge patch',
    ['verbs', 'content'],
    mishear('content-type', () => ['application/merge-patch+json'], {
      method: 'PATCH',
      header: { 'content-type': /^application\/json/ },
    }),
  ),
  fault(
    'a patch without a type is a merge patch',
    ['content', 'verbs'],
    requestHeader('content-type', 'application/merge-patch+json', {
      method: 'PATCH',
      header: { 'content-type': /^$/ },
    }),
  ),
  fault(
    'an update of a Lease is taken for a merge patch',
    ['verbs', 'meta'],
    all(
      changeMethod('PATCH', { method: 'PUT', path: /\/leases\/[^/]+$/ }),
      requestHeader('content-type', 'application/merge-patch+json', {
        method: 'PATCH',
        path: /\/leases\/[^/]+$/,
        header: { 'content-type': /^application\/json/ },
      }),
    ),
  ),
  fault('null in a merge patch removes nothing', ['meta', 'deletion'], changeRequest('', noNulls, merges)),
  slip(
    'a merge patch keeps null within lists',
    ['verbs'],
    mergePatch,
    'if (Array.isArray(patch)) return patch.map((item) => (item === null ? null : mergePatch(undefined, item)));',
    'if (Array.isArray(patch)) return cloneJson(patch);',
  ),
  slip(
    'a merge patch adds to lists',
    ['content', 'verbs'],
    mergePatch,
    'if (Array.isArray(patch)) return patch.map(',
    'if (Array.isArray(patch)) return (Array.isArray(target) ? [...target, ...patch] : patch).map(',
  ),
  slip(
    'null inside a new object of a merge patch is stored',
    ['verbs', 'params', 'meta'],
    mergePatch,
    'putMember(result, key, mergePatch(undefined, patch[key] as Json));',
    'putMember(result, key, cloneJson(patch[key] as Json));',
  ),
  slip(
    'an empty list in a merge patch leaves the list as it is',
    ['verbs', 'params'],
    mergePatch,
    'if (Array.isArray(patch)) return',
    'if (Array.isArray(patch)) return patch.length === 0 && Array.isArray(target) ? cloneJson(target) :',
  ),
  slip(
    'a null in a map that was not there yet is merged into it',
    ['params', 'verbs', 'content'],
    'patch/merge-patch.ts',
    'if (patch[key] !== null && memberOf(base, key) === undefined)',
    'if ((patch[key] !== null || target === undefined) && memberOf(base, key) === undefined)',
  ),
  slip(
    'a merge patch of a list with objects keeps those that it does not name',
    ['verbs'],
    'patch/merge-patch.ts',
    'if (Array.isArray(patch)) return patch.map(',
    'if (Array.isArray(patch)) return (Array.isArray(target) && target[0]?.name ? [...patch, ...target.filter((t) => !patch.some((p) => p?.name === t.name))] : patch).map(',
  ),
  fault(
    'the answer to a merge patch lacks what took the place of what it took away',
    ['component', 'verbs', 'responses'],
    changeAnswer('', (body, request) => withoutNulls(body, jsonOf(request.body)), merges),
  ),
  slip(
    'an empty map in a merge patch makes none where there was nothing',
    ['verbs'],
    'patch/merge-patch.ts',
    'if (patch[key] !== null && memberOf(base, key) === undefined) {',
    'if (patch[key] !== null && memberOf(base, key) === undefined && JSON.stringify(patch[key]) !== "{}") {',
  ),
  slip(
    'a merge patch of nothing is refused',
    ['verbs'],
    mergePatch,
    'if (!isJsonObject(patch)) throw',
    'if (!isJsonObject(patch) || Object.keys(patch).length === 0) throw',
  ),
  slip(
    'a patch may not take out the kind',
    'verbs',
    'registry/patch.ts',
    "  if ((result['kind'] ?? '') === '') result['kind'] = served.kind;\n",
    "  if ((result['kind'] ?? '') === '' && !served.kind) result['kind'] = served.kind;\n",
  ),
  slip(
    'a patch that says another kind or version is done all the same',
    ['verbs'],
    'registry/patch.ts',
    '  if (!same) refuseIdentity(call, document.served, value, before);\n',
    '  void before;\n',
  ),
  slip(
    'a patch that says another name is done all the same',
    ['verbs'],
    'registry/patch.ts',
    '  judge(call, document, made, before);',
    '  judge({ ...call, name: made.next.metadata.name ?? call.name }, document, made, before);',
  ),
  slip(
    'a merge patch that is no object changes nothing',
    ['verbs'],
    'patch/merge-patch.ts',
    "if (!isJsonObject(patch)) throw new MalformedPatchError('error decoding patch: a merge patch is an object');",
    'if (!isJsonObject(patch)) return document;',
  ),
];
