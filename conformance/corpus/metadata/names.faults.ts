import { edited } from '../../sabotage/edited.ts';
import { all, answerStatus, changeRequest, sabotage, statusObject } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { clusterItems, topCollections } from '../matches.ts';
import { jsonOf, refusal, wherever } from '../meddling.ts';

const systemFields = 'registry/steps/system-fields.ts';

/** Milliseconds for which a name that was given up is not given to others. */
const rest = 5_000;

const keepsNames = sabotage('keeps names', () => {
  const gone = new Map<string, number>();
  return {
    request: (request) => {
      if (request.method !== 'POST' || !topCollections.test(request.path)) return request;
      const name = jsonOf(request.body)?.metadata?.name;
      const since = gone.get(`${request.path}/${name}`) ?? Number.NEGATIVE_INFINITY;
      if (Date.now() - since > rest) return request;
      const body = Buffer.from(JSON.stringify(statusObject(409, 'AlreadyExists')));
      return { status: 409, headers: { 'content-type': 'application/json' }, body };
    },
    answer: (answer, { method, path }) => {
      if (method === 'DELETE' && answer.status === 200 && clusterItems.test(path)) gone.set(path, Date.now());
      return answer;
    },
  };
});

/** Names: that there are no two alike, and those that are generated. */
export default [
  fault(
    'what a name was made from is forgotten',
    ['meta', 'names'],
    wherever((body) => edited(body, ['metadata', 'generateName'], () => undefined)),
  ),
  fault(
    'the name of something without a namespace cannot be used again for a while',
    ['names', 'deletion'],
    keepsNames,
  ),
  fault(
    'generateName wins over a name',
    ['meta', 'names'],
    changeRequest(
      '',
      (body) => (body.metadata?.generateName ? edited(body, ['metadata', 'name'], () => undefined) : body),
      { method: 'POST' },
    ),
  ),
  fault(
    'a second create of a name overwrites the first',
    'names',
    all(answerStatus(201, { method: 'POST', instead: 409, path: /\/ingresses$/ })),
  ),
  slip(
    'the name of a cluster-scoped object is generated without a suffix',
    ['names', 'meta'],
    systemFields,
    'metadata.name = metadata.generateName.slice(0, maxPrefix) + ids.suffix(suffixLength);',
    "metadata.name = metadata.generateName.slice(0, maxPrefix) + (resource.namespaced ? ids.suffix(suffixLength) : 'x');",
  ),
  slip('long prefixes of names are cut to twenty letters', ['meta'], systemFields, '= 58;', '= 20;'),
  slip(
    'long prefixes of names are not cut',
    ['meta', 'names'],
    systemFields,
    'metadata.generateName.slice(0, maxPrefix)',
    'metadata.generateName',
  ),
  fault(
    'names that differ by the size of their letters are one',
    ['names'],
    sabotage('compares names in small letters', () => {
      const taken = new Map<string, string>();
      return {
        request: (request) => {
          const { name } = jsonOf(request.body)?.metadata ?? {};
          if (request.method !== 'POST' || typeof name !== 'string') return request;
          const key = `${request.path}/${name.toLowerCase()}`;
          if ((taken.get(key) ?? name) !== name) return refusal(409, 'AlreadyExists');
          taken.set(key, name);
          return request;
        },
      };
    }),
  ),
  fault(
    'a name has at most 63 letters, whatever it names',
    ['meta'],
    answerStatus(422, { method: 'POST', body: /"metadata":\{[^}]*"name":"[^"]{64}/ }),
  ),
  fault(
    'a name has no dots, whatever it names',
    ['meta'],
    answerStatus(422, {
      method: 'POST',
      path: /\/[b-z][a-z]+$/,
      body: /"metadata":\{[^}]*"name":"touchstone[^".]*\.9/,
    }),
  ),
  slip(
    'names that differ in capitals alone are one name',
    ['verbs', 'names'],
    'store/object-keys.ts',
    '=> `${prefix}${namespace}/${name}`;',
    '=> `${prefix}${namespace}/${name.toLowerCase()}`;',
  ),
  slip(
    'what was given a name loses its generateName',
    ['meta'],
    'registry/steps/system-fields.ts',
    '  metadata.uid = ids.uid();',
    '  if (metadata.generateName && metadata.name?.startsWith(metadata.generateName.slice(0, maxPrefix))) delete metadata.generateName;\n  metadata.uid = ids.uid();',
  ),
  slip(
    'of two creates of one name at a time both succeed',
    ['names'],
    'store/memory-store.ts',
    '    if (current) throw new KeyExistsError(current);\n    const written',
    '    if (current) throw new KeyExistsError(current);\n    await new Promise((next) => setTimeout(next, 2));\n    const written',
  ),
  slip(
    'names that are made up in one millisecond are one',
    ['meta'],
    'base/ids.ts',
    "Array.from({ length }, () => letters[randomInt(letters.length)]).join('')",
    'Date.now().toString(36).slice(-length)',
  ),
];
