import { fault, slip } from '../fault.ts';
import { lenient } from '../meddling.ts';

const typed = 'registry/typed.ts';

/** What the body of a write says against its path: another name, namespace, kind or version. */
export default [
  fault('the name in the body may differ from the path', ['params', 'verbs'], lenient({ method: 'PUT' }, [400])),
  slip(
    'a custom object needs no kind',
    ['fields', 'errors'],
    typed,
    'if (custom && !kind) throw unrecognized(expected, "Object \'Kind\' is missing");',
    '',
  ),
  slip(
    'the namespace in the body may be another than that of the path',
    ['verbs', 'errors'],
    'registry/place.ts',
    'if (!namespace || !call.namespace || namespace === call.namespace) return;',
    'if (!namespace || !call.namespace || namespace !== "") return;',
  ),
  slip(
    'an update takes another version of its group in its body',
    ['versioning', 'params', 'paths'],
    typed,
    'const otherVersion = apiVersion !== expected.apiVersion && (custom || apiVersion);',
    "const otherVersion = apiVersion !== expected.apiVersion && (custom || apiVersion) && String(apiVersion).split('/')[0] !== expected.apiVersion.split('/')[0];",
  ),
  slip(
    'a cluster-scoped object may name a namespace in its metadata',
    ['names', 'meta', 'paths'],
    'registry/place.ts',
    'if (!namespace || !call.namespace || namespace === call.namespace) return;',
    'return;',
  ),
  slip(
    'an update of a subresource may name another object',
    ['verbs', 'params', 'meta'],
    'registry/replace.ts',
    '  checkPlace(call, sent);',
    '  checkPlace(call.subresource ? { ...call, name: sent.metadata.name ?? call.name } : call, sent);',
  ),
  slip(
    'a patch may name another kind',
    ['verbs', 'params'],
    'registry/patch.ts',
    'if (!same) refuseIdentity(call, document.served, value, before);',
    "if (!same && value['kind'] === document.served.kind) refuseIdentity(call, document.served, value, before);",
  ),
  slip(
    'a body is taken whose apiVersion is of another version of the group than the path',
    ['versioning'],
    'registry/typed.ts',
    'const otherVersion = apiVersion !== expected.apiVersion && (custom || apiVersion);',
    "const groupOf = (text: unknown) => parseApiVersion(String(text ?? '')).group;\n  const otherVersion = groupOf(apiVersion) !== groupOf(expected.apiVersion) && (custom || apiVersion);",
  ),
  slip(
    'an update needs no name in its body',
    ['params'],
    'registry/replace.ts',
    '  checkPlace(call, sent);',
    '  if (sent.metadata.name) checkPlace(call, sent);',
  ),
  slip(
    'what stands behind the object of a body is passed over',
    ['content'],
    'schema/json-parser.ts',
    "if (this.#at < this.#text.length) throw this.#mistake('after top-level value');",
    '',
  ),
  slip(
    'an apply may name another namespace than its path',
    ['meta'],
    'registry/apply.ts',
    '  checkNamespace(call, namespace);',
    '',
  ),
  slip(
    'a body of a built-in kind has to name its version',
    ['meta'],
    typed,
    'const otherVersion = apiVersion !== expected.apiVersion && (custom || apiVersion);',
    'const otherVersion = apiVersion !== expected.apiVersion;',
  ),
  slip(
    'a body of a built-in kind has to name its kind',
    ['meta'],
    typed,
    'if ((kind && kind !== expected.kind) || otherVersion) {',
    'if (kind !== expected.kind || otherVersion) {',
  ),
  slip(
    'what is posted below an object or asked in a review may be of any kind',
    ['names', 'component'],
    'registry/operation.ts',
    '  checkIdentity(acceptedVersion(bodyVersions, expected, decoded.value), decoded.value);\n',
    '',
  ),
  slip(
    'a review may say that it is in another namespace',
    ['names'],
    'registry/operation.ts',
    '  checkNamespace(call, body.metadata.namespace);\n  fillSystemFields(body, call);',
    '  fillSystemFields(body, call);',
  ),
  slip(
    'an eviction may name another pod than its path',
    ['names'],
    'kinds/core/pod/eviction.ts',
    'if (eviction?.metadata.name !== name) throw',
    'if (!eviction) throw',
  ),
  slip(
    'a binding may name another pod than its path',
    ['component'],
    'kinds/core/pod/binding.ts',
    'if (body?.metadata.name !== name) throw',
    'if (!body) throw',
  ),
  slip(
    'a review may have a name and owners',
    ['names'],
    'authz/reviews.ts',
    'const kept = Object.values(rest).some(',
    'const kept = [rest.labels, rest.annotations].some(',
  ),
];
