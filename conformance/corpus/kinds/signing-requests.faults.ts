import {
  answerWith,
  changeAnswer,
  changeEvent,
  ignoreQuery,
  removeIn,
  statusObject,
} from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { collectionOf, watches } from '../matches.ts';
import { leavingOut, lenient, misread } from '../meddling.ts';

const certificateSigningRequest = 'kinds/certificates/certificate-signing-request.ts';
const certificateRequest = 'x509/certificate-request.ts';

/** The spec of a signing request: request, usages, duration, signer, and its author. */
export default [
  fault(
    'a list of requests does not tell the groups of their authors',
    ['csr', 'kinds'],
    removeIn('items.*.spec.groups', { method: 'GET', path: /\/certificatesigningrequests$/ }),
  ),
  fault(
    'a signing request does not name its author',
    'csr',
    removeIn('spec.username', { path: /\/certificatesigningrequests/ }),
  ),
  fault(
    'a signing request does not hold the uid of its author',
    ['csr', 'impersonate'],
    removeIn('spec.uid', { path: /\/certificatesigningrequests/ }),
  ),
  fault(
    'the spec of a signing request may change',
    'csr',
    lenient({ method: ['PUT', 'PATCH'], path: /\/certificatesigningrequests\/[^/]+$/ }),
  ),
  fault(
    'who watches requests by signer hears of all',
    ['csr', 'params', 'watch'],
    ignoreQuery('fieldSelector', { ...watches, path: collectionOf('certificatesigningrequests') }),
  ),
  fault(
    'requests cannot be deleted all at once',
    ['csr', 'verbs', 'params'],
    answerWith(405, statusObject(405, 'MethodNotAllowed'), {
      method: 'DELETE',
      path: collectionOf('certificatesigningrequests'),
    }),
  ),
  fault(
    'status comes with a create of a signing request',
    ['csr'],
    lenient({ method: 'POST', path: /\/certificatesigningrequests$/ }),
  ),
  slip(
    'how long a certificate is to last is forgotten',
    ['csr'],
    certificateSigningRequest,
    'const { username: _, uid: _uid,',
    'const { expirationSeconds: _seconds, username: _, uid: _uid,',
  ),
  slip(
    'usages of a request are sorted',
    ['csr'],
    certificateSigningRequest,
    '    ...asked,\n',
    '    ...asked,\n    ...(asked.usages && { usages: [...asked.usages].sort() }),\n',
  ),
  slip(
    'a request may name a purpose twice',
    ['csr'],
    certificateSigningRequest,
    'const repeated = seen.has(usage) ? [duplicate(here, usage)] : [];',
    'const repeated = seen.has(usage) && usage === "" ? [duplicate(here, usage)] : [];',
  ),
  slip(
    'what else is known of the author of a request is lost',
    ['csr'],
    certificateSigningRequest,
    '...(Object.keys(extra).length > 0 && { extra }),',
    '...(Object.keys(extra).length > 1 && { extra }),',
  ),
  slip('one usage is not known', ['csr'], certificateSigningRequest, "  'microsoft sgc',\n", ''),
  slip(
    'ten minutes are too short for a certificate',
    ['csr', 'limits'],
    certificateSigningRequest,
    'expirationSeconds < minExpirationSeconds',
    'expirationSeconds <= minExpirationSeconds',
  ),
  slip(
    'who has no uid may say in a request which he has',
    ['csr'],
    certificateSigningRequest,
    '...(user.uid && { uid: user.uid }),',
    '...((user.uid || _uid) && { uid: user.uid || _uid }),',
  ),
  slip(
    'a request may be for a minute',
    'csr',
    certificateSigningRequest,
    'const minExpirationSeconds = 600;',
    'const minExpirationSeconds = 60;',
  ),
  slip(
    'a usage may be named twice',
    'csr',
    certificateSigningRequest,
    'const repeated = seen.has(usage) ? [duplicate(here, usage)] : [];',
    'const repeated: FieldError[] = [];',
  ),
  slip(
    'groups of a request are what it says',
    'csr',
    certificateSigningRequest,
    '...(user.groups.length > 0 && { groups: [...user.groups] }),',
    '...(_groups && { groups: _groups }),',
  ),
  slip(
    'a request does not tell those groups of its author that the server gave',
    ['csr'],
    certificateSigningRequest,
    '{ groups: [...user.groups] }),',
    "{ groups: user.groups.filter((group) => !group.startsWith('system:')) }),",
  ),
  slip(
    'usages of a request may be written large',
    ['csr'],
    certificateSigningRequest,
    'usages.includes(usage) ?',
    'usages.includes(usage.toLowerCase()) ?',
  ),
  slip(
    'a request for a certificate may have any usages or none',
    ['csr', 'component'],
    certificateSigningRequest,
    "...validateUsages(spec.usages ?? [], specAt.child('usages')),\n    ",
    '',
  ),
  slip(
    'the domain of a signer may be one word',
    ['csr'],
    'kinds/certificates/signer-name.ts',
    "...(labels.length < 2 ? [invalidValue(at, domain, 'must be a domain of at least two parts')] : []),",
    '',
  ),
  slip(
    'a request for a certificate whose subject has half a letter crashes',
    ['csr'],
    certificateRequest,
    'tag === bmpString && content.length % 2 === 0',
    '(tag === bmpString)',
  ),
  slip(
    'a request need not be signed with its own key',
    ['csr'],
    certificateRequest,
    "return verify(hash, signed, { key, ...padding }, signature) ? '' : 'the signature is not valid';",
    "verify(hash, signed, { key, ...padding }, signature);\n    return '';",
  ),
  slip(
    'a request may be in a block of the old name',
    ['csr'],
    certificateRequest,
    'if (block?.label !== label) return',
    'if (!block?.label.endsWith(label)) return',
  ),
  slip(
    'of each extra of its author a request keeps the first value',
    ['csr'],
    'kinds/certificates/certificate-signing-request.ts',
    '[key, [...values]]',
    '[key, [...values].slice(0, 1)]',
  ),
  slip(
    'who asks for a certificate and has no uid may choose one',
    'csr',
    'kinds/certificates/certificate-signing-request.ts',
    '...(user.uid && { uid: user.uid }),',
    '...(user.uid ? { uid: user.uid } : _uid && { uid: _uid }),',
  ),
  slip(
    'who asks for a certificate and has no extra attributes may choose some',
    'csr',
    'kinds/certificates/certificate-signing-request.ts',
    '...(Object.keys(extra).length > 0 && { extra }),',
    '...(Object.keys(extra).length > 0 ? { extra } : _extra && { extra: _extra }),',
  ),
  fault(
    'all requests are deleted whatever their signer',
    ['csr', 'deletion', 'collections'],
    misread({ method: 'DELETE', path: /\/certificatesigningrequests$/ }, (query) => query.delete('fieldSelector')),
  ),
  fault(
    'who watches requests by signer is not told what was decided',
    ['csr', 'watch'],
    changeEvent('', (event) => (event.type === 'MODIFIED' && event.object?.status?.conditions ? [] : [event]), {
      method: 'GET',
      path: /\/certificatesigningrequests$/,
      query: { watch: true, fieldSelector: /signerName/ },
    }),
  ),
  fault(
    'the bodies of requests for certificates come without how long they shall last',
    ['csr'],
    changeAnswer('', leavingOut('spec', 'expirationSeconds'), {
      method: 'PUT',
      path: /\/certificatesigningrequests\/[^/]+(\/[a-z]+)?$/,
    }),
  ),
  slip(
    'requests are selected by the domain of their signer',
    ['csr', 'lists', 'params'],
    'base/field-selector.ts',
    '(fieldText(field) === value) ===',
    "(field === 'spec.signerName' ? fieldText(field).split('/')[0] === value.split('/')[0] : fieldText(field) === value) ===",
  ),
  slip(
    'a certificate request keeps the extra attributes that its sender claims to have',
    ['csr'],
    certificateSigningRequest,
    'const { username: _, uid: _uid, groups: _groups, extra: _extra, ...asked }',
    'const { username: _, uid: _uid, groups: _groups, ...asked }',
  ),
  slip(
    'the signer of old times may still be asked',
    ['csr'],
    'kinds/certificates/signer-name.ts',
    'if (signerName === legacySigner)',
    "if (signerName === 'none')",
  ),
  slip(
    'a certificate may be for no time at all',
    'csr',
    certificateSigningRequest,
    '...(expirationSeconds !== undefined && expirationSeconds',
    '...(expirationSeconds && expirationSeconds',
  ),
];
