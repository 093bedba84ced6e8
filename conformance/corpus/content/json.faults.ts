import { edited } from '../../sabotage/edited.ts';
import { answerHeader, changeAnswer, changeRequest, removeIn, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { refusal } from '../meddling.ts';

/** Values that JSON loses or changes on their way in or out. */
export default [
  fault(
    'an empty list in custom objects is lost',
    ['verbs', 'content'],
    changeAnswer(
      '',
      (body) =>
        edited(body, ['spec'], (spec) =>
          Object.fromEntries(
            Object.entries(spec ?? {}).filter(([, value]) => !Array.isArray(value) || value.length > 0),
          ),
        ),
      { path: /touchstone\.example\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+$/ },
    ),
  ),
  fault('immutable ConfigMaps lose their flag', 'content', removeIn('immutable', { path: /\/configmaps/ })),
  fault(
    'slices lose conditions that are false',
    ['content', 'endpointslice'],
    changeRequest(
      '',
      (body) => edited(body, ['endpoints', '*', 'conditions', '*'], (value) => (value === false ? undefined : value)),
      { path: /\/endpointslices/ },
    ),
  ),
  fault(
    'whole numbers beyond 53 bits are rounded',
    ['content', 'verbs'],
    changeRequest('', (body) => body, { method: ['POST', 'PUT', 'PATCH'] }),
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
  fault(
    'annotations with an empty value are dropped',
    ['content', 'meta'],
    changeRequest(
      '',
      (body) => edited(body, ['metadata', 'annotations', '*'], (value) => (value === '' ? undefined : value)),
      { method: 'POST' },
    ),
  ),
  slip(
    'times are kept in the zone in which they came',
    ['kinds'],
    'schema/scalars.ts',
    'const text = `${spellSeconds(read.seconds)}Z`;',
    'const text = `${spellSeconds(read.seconds)}Z` && value;',
  ),
  slip(
    'odd JSON may not begin with a space',
    ['content', 'fields'],
    'schema/json-parser.ts',
    'const root = {};\n    this.#skipSpace();',
    'const root = {};\n    ',
  ),
  slip(
    'a text with quotes is laid out where JSON is indented',
    ['content', 'params'],
    'request/answer/encode.ts',
    "i += text[i] === '\\\\' ? 2 : 1;",
    'i += 1;',
  ),
  slip(
    'a long list that is made while it is sent lacks a comma where it goes on',
    ['content', 'lists', 'collections'],
    'request/answer/list-pieces.ts',
    'if (at > 0) piece.add(form.between);',
    'if (at > from) piece.add(form.between);',
  ),
  slip(
    'what is compressed is as long as it was',
    ['content', 'collections'],
    'request/answer/respond.ts',
    "{ 'content-length': small.length, ...gzipped }",
    "{ 'content-length': bytes.length, ...gzipped }",
  ),
  slip(
    'what is compressed is told without saying so',
    ['content', 'collections'],
    'request/answer/respond.ts',
    "{ 'content-length': small.length, ...gzipped }",
    "{ 'content-length': small.length, vary: 'Accept-Encoding' }",
  ),
  fault(
    'letters and the accents that follow them become one',
    ['verbs'],
    changeRequest('', (body) => JSON.parse(JSON.stringify(body).normalize('NFC'))),
  ),
  fault(
    'a text with a null character cannot be stored',
    ['content', 'verbs'],
    sabotage('refuses null characters', () => ({
      request: (request) => (request.body.includes('\\u0000') ? refusal(500, 'InternalError') : request),
    })),
  ),
  slip(
    'a key that objects have by themselves is lost where a map of texts is read',
    ['content'],
    'base/json-value.ts',
    "  if (key === '__proto__') {",
    "  if (key === '') {",
  ),
  slip(
    'a body whose length is not told before is none',
    ['content'],
    'request/body.ts',
    '(length === undefined && incoming.complete && incoming.readableLength === 0)',
    'length === undefined',
  ),
  slip(
    'fine times are kept in the zone in which they came',
    ['kinds', 'event'],
    'schema/scalars.ts',
    '  return `${spellSeconds(read.seconds)}${read.digits}Z`;',
    '  return value;',
  ),
  slip(
    'a list of more than a megabyte lacks a comma',
    ['collections'],
    'request/answer/list-pieces.ts',
    "head: from === 0 ? head : ','",
    "head: from === 0 ? head : ''",
  ),
  slip(
    'null among the texts of a list is refused',
    ['content'],
    'schema/check.ts',
    'const after = before === null ? zeroOf(items) : this.typed(before, items, value, index, depth + 1);',
    'const after = this.typed(before, items, value, index, depth + 1);',
  ),
  slip(
    'null among the texts of a map stays null',
    ['content'],
    'schema/check.ts',
    'const after = before === null ? zeroInMap(values) : this.typed',
    'const after = before === null ? null : this.typed',
  ),
  slip(
    'a member that is null is one of the wrong type',
    ['content'],
    'schema/check.ts',
    'const after = before === null ? nothing : this.#field',
    'const after = before === null && depth === 0 ? nothing : this.#field',
  ),
  fault(
    'the version of the server is told as text, not as JSON',
    ['content', 'versioning'],
    answerHeader('content-type', 'text/plain; charset=utf-8', { path: /^\/version$/ }),
  ),
  fault(
    'the version of the server leaves out where it runs',
    ['content', 'versioning'],
    removeIn('platform', { path: /^\/version$/ }),
  ),
];
