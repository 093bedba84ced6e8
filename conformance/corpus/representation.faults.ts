import { edited } from '../sabotage/edited.ts';
import {
  answerHeader,
  answerStatus,
  changeAnswer,
  changeRequest,
  ignoreQuery,
  removeIn,
  requestHeader,
  sabotage,
} from '../sabotage/transforms.ts';
import { readEnvelope, withoutZeros, writeEnvelope } from '../verbs/protobuf.ts';
import { type Fault, fault } from './fault.ts';
import { jsonOf, lenient, mishear } from './meddling.ts';

const protobuf = { header: { 'content-type': /protobuf/ } };
const tables = { method: 'GET', header: { accept: /as=Table/ } };

/** What is written in protobuf, without the numbers and booleans that are zero. */
const zerosLost = sabotage('', () => ({
  request: (request) => {
    if (!/protobuf/.test(String(request.headers['content-type'] ?? ''))) return request;
    const envelope = readEnvelope(request.body);
    return { ...request, body: writeEnvelope({ ...envelope, raw: withoutZeros(envelope.raw) }) };
  },
}));

/** Bodies read and written once more, so that what came twice is there once. */
const reread = sabotage('', () => ({
  request: (request) => {
    const body = request.method === 'POST' ? jsonOf(request.body) : undefined;
    return body === undefined ? request : { ...request, body: Buffer.from(JSON.stringify(body)) };
  },
}));

export const contentFaults: readonly Fault[] = [
  fault('a protobuf false is taken for unset', 'content', zerosLost),
  fault('protobuf is read from POST only', 'content', answerStatus(415, { ...protobuf, method: 'PUT' })),
  fault(
    'lists of named groups are never protobuf',
    'content',
    requestHeader('accept', undefined, { path: /^\/apis\/.*\/[a-z]+$/, header: { accept: /protobuf/ } }),
  ),
  fault(
    'the last of several media types is used',
    'content',
    mishear('accept', (types) => types.at(-1)?.split(/,\s*/).reverse()),
  ),
  fault(
    'a media type that is not on offer is answered in JSON for lists',
    'content',
    requestHeader('accept', undefined, { method: 'GET', path: /\/[a-z]+$/, header: { accept: /html|xml/ } }),
  ),
  fault(
    'a Table of one object is the object',
    'content',
    requestHeader('accept', undefined, { ...tables, path: /\/[a-z]+\/[^/]+$/ }),
  ),
  fault(
    'a Table of custom objects lacks the types of its columns',
    'content',
    removeIn('columnDefinitions.*.type', { ...tables, path: /touchstone\.example/ }),
  ),
  fault('a page of a Table has no token', 'content', removeIn('metadata.continue', tables)),
  fault('a charset with JSON is refused', 'content', answerStatus(415, { header: { 'content-type': /charset/ } })),
  fault(
    'refusals of custom types are plain text',
    'content',
    answerHeader('content-type', 'text/plain', { path: /touchstone\.example.*missing$/ }),
  ),
  fault(
    'zero is lost in custom objects',
    'content',
    changeAnswer('', (body) => edited(body, ['spec', 'size'], (size) => (size === 0 ? undefined : size)), {
      path: /touchstone\.example/,
    }),
  ),
  fault(
    'an empty text in the data of a Secret is lost',
    'content',
    changeRequest('', (body) => edited(body, ['data', '*'], (value) => (value === '' ? undefined : value)), {
      path: /\/secrets$/,
    }),
  ),
];

export const fieldFaults: readonly Fault[] = [
  fault('Strict passes fields that come twice', 'fields', reread),
  fault(
    'Warn tells of the first field only',
    'fields',
    sabotage('', () => ({
      answer: (answer) => {
        const { warning } = answer.headers;
        return Array.isArray(warning)
          ? { ...answer, headers: { ...answer.headers, warning: warning[0] ?? '' } }
          : answer;
      },
    })),
  ),
  fault(
    'fieldValidation is ignored by updates of a status',
    'fields',
    ignoreQuery('fieldValidation', { method: 'PUT', path: /\/status$/ }),
  ),
  fault(
    'fieldValidation is ignored by JSON patches',
    'fields',
    ignoreQuery('fieldValidation', { header: { 'content-type': /json-patch/ } }),
  ),
  fault(
    'unknown fields of metadata pass unseen',
    'fields',
    changeRequest('', (body) => edited(body, ['metadata', 'size'], () => undefined), { method: 'POST' }),
  ),
  fault(
    'an update without fieldValidation says nothing',
    'fields',
    sabotage('', () => ({
      request: (request) =>
        request.method === 'PUT' && !request.query.has('fieldValidation')
          ? { ...request, rawQuery: `${request.rawQuery}&fieldValidation=Ignore` }
          : request,
    })),
  ),
  fault(
    'a text for a number is stored in custom objects',
    'fields',
    lenient({ method: ['POST', 'PUT'], path: /touchstone\.example/ }),
  ),
  fault(
    'a wrong type in a patch is passed over',
    'fields',
    lenient({ method: 'PATCH', header: { 'content-type': /merge-patch/ } }, [400, 422]),
  ),
  fault(
    'a refusal by Strict is 422',
    'fields',
    answerStatus(422, { method: 'POST', query: { fieldValidation: 'Strict' }, instead: 400 }),
  ),
  fault(
    'Ignore warns all the same',
    'fields',
    sabotage('', () => ({
      request: (request) =>
        request.query.get('fieldValidation') === 'Ignore'
          ? { ...request, rawQuery: request.rawQuery.replace('Ignore', 'Warn') }
          : request,
    })),
  ),
];
