import { answerStatus, answerWith, requestHeader, sabotage, statusObject } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { inProtobuf, watches } from '../matches.ts';
import { mishear, refusal } from '../meddling.ts';

const negotiate = 'request/negotiate.ts';

/** Nobody looks at the form of the answer before there is one. */
const madeUnacceptable = sabotage('makes what it refuses', () => {
  const isOdd = (accept: unknown): boolean => Boolean(accept) && !/json|yaml|protobuf|\*/.test(String(accept));
  return {
    request: (request) => {
      const { accept, ...headers } = request.headers;
      const odd = request.method === 'POST' && isOdd(accept);
      return odd ? { ...request, headers: { ...headers, 'x-accept': String(accept) } } : request;
    },
    answer: (answer, { headers }) =>
      headers['x-accept'] && answer.status < 400 ? refusal(406, 'NotAcceptable') : answer,
  };
});

/** Which form a request is read in, and which it is answered in. */
export default [
  fault(
    'what is accepted is read in small letters',
    ['content'],
    mishear('accept', (values) => values.map((value) => value.toLowerCase())),
  ),
  fault(
    'a watch in a type that is not on offer is one in JSON',
    ['content'],
    requestHeader('accept', 'application/json', {
      ...watches,
      header: { accept: /^(?!.*(?:json|protobuf|yaml|\*\/\*))./ },
    }),
  ),
  fault(
    'what becomes of a delete comes in JSON, whatever was asked for',
    ['content', 'deletion'],
    requestHeader('accept', 'application/json', { method: 'DELETE', header: inProtobuf }),
  ),
  fault(
    'a charset with a patch is refused',
    ['content', 'verbs'],
    answerWith(415, statusObject(415, 'UnsupportedMediaType'), {
      method: 'PATCH',
      header: { 'content-type': /charset/ },
    }),
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
  fault('a charset with JSON is refused', 'content', answerStatus(415, { header: { 'content-type': /charset/ } })),
  fault(
    'what a patch makes comes in JSON, whatever was asked for',
    ['content'],
    requestHeader('accept', 'application/json', { method: 'PATCH', header: { accept: /protobuf/ } }),
  ),
  slip(
    'of the forms that a client takes the first that it names is the best',
    ['content'],
    negotiate,
    '.sort((a, b) => b.quality - a.quality || breadth(a) - breadth(b)),',
    '.sort((a, b) => breadth(a) - breadth(b)),',
  ),
  slip(
    'what cannot be had ends the search through the media types',
    ['content'],
    negotiate,
    'if (!mediaType) continue;',
    'if (!mediaType) break;',
  ),
  slip(
    'a form that cannot be had ends the search through the media types',
    ['content'],
    negotiate,
    "    if (transform === 'none') return { mediaType };",
    "    if (!transform) break;\n    if (transform === 'none') return { mediaType };",
  ),
  slip(
    'of several media types the third is not looked at',
    ['content'],
    negotiate,
    'for (const entry of parseAccept(accept)) {\n    const mediaType',
    'for (const entry of parseAccept(accept).slice(0, 2)) {\n    const mediaType',
  ),
  slip(
    'a request without an Accept is read as the last word of it',
    ['content'],
    negotiate,
    '.sort((a, b) => b.quality - a.quality || breadth(a) - breadth(b))',
    '.reverse()',
  ),
  slip(
    'a wildcard is not acceptable',
    ['content'],
    negotiate,
    "if (type === '*/*' || (ranges && type === 'application/*')) return mediaTypes[0];",
    '',
  ),
  slip(
    'of custom objects any application type is refused',
    ['content'],
    'request/dispatch.ts',
    '\n    ranges: resource.custom !== undefined,',
    '',
  ),
  slip(
    'writes are answered in JSON whatever is accepted',
    ['content'],
    'request/dispatch.ts',
    'if (offer) exchange.negotiate(offer);',
    "if (offer && (exchange.info.method === 'GET' || exchange.info.method === 'HEAD')) exchange.negotiate(offer);",
  ),
  slip(
    'a body without a type is refused',
    ['content'],
    'request/body.ts',
    "if (header === 'application/json' || !header?.trim()) return",
    "if (header === 'application/json') return",
  ),
  fault('what is refused for the form of its answer is made all the same', ['content'], madeUnacceptable),
  fault(
    'an Accept with a charset is refused',
    ['content'],
    answerWith(406, statusObject(406, 'NotAcceptable'), { header: { accept: /charset/ } }),
  ),
  slip(
    'what cannot be answered as it is asked for is done all the same',
    ['content'],
    'request/dispatch.ts',
    '  agreeOnForms(exchange, found);\n  return answerVerb(exchange, services, found);',
    '  try {\n    agreeOnForms(exchange, found);\n  } catch (error) {\n    return answerVerb(exchange, services, found).then(() => Promise.reject(error));\n  }\n  return answerVerb(exchange, services, found);',
  ),
  slips(
    'a parameter of Accept behind a blank is not understood',
    ['content'],
    [
      {
        file: 'request/negotiate.ts',
        from: "const [type = '', ...rest] = text.split(';').map((part) => part.trim());",
        to: "const [type = '', ...rest] = text.trim().split(';');",
      },
      { file: 'request/negotiate.ts', from: 'part.slice(0, equals).trim(),', to: 'part.slice(0, equals),' },
    ],
  ),
  slip(
    'of several media types in an Accept header the first alone is looked at',
    ['content'],
    negotiate,
    'for (const entry of parseAccept(accept)) {',
    'for (const entry of parseAccept(accept).slice(0, 1)) {',
  ),
  slip(
    'a content type with a character set is refused',
    ['content'],
    'request/body.ts',
    'const type = mediaTypeOf(header);',
    'const type = header.trim().toLowerCase();',
  ),
  slip(
    'what is asked for in a form that does not exist is answered as it is, not with 406',
    ['content'],
    'request/negotiate.ts',
    'if (transform) return { mediaType, transform };',
    'return transform ? { mediaType, transform } : { mediaType };',
  ),
  slip(
    'who says that gzip is not acceptable gets gzip',
    ['content'],
    'request/negotiate.ts',
    String.raw`(?:;(?!\s*q=0(?:\.0*)?\s*(?:[,;]|$))|,|$)/.test(header);`,
    '(?:;|,|$)/.test(header);',
  ),
  slip(
    'a Scale comes in JSON when nothing that is accepted is on offer',
    ['content'],
    'request/dispatch.ts',
    'if (offer) exchange.negotiate(offer);',
    "if (offer && !(found.subresource === 'scale' && !takesSome(accept, offer))) exchange.negotiate(offer);",
  ),
  slip(
    'a type of content is known in small letters alone',
    ['content'],
    'request/body.ts',
    "?.trim().toLowerCase() ?? '';",
    "?.trim() ?? '';",
  ),
  slip(
    'a stream of any other sort is taken for a watch',
    'content',
    'request/negotiate.ts',
    "  if ((parameters.get('stream') ?? 'watch') !== 'watch') return undefined;\n",
    '',
  ),
  fault(
    'what is deleted is gone though nobody could read the answer',
    ['content'],
    requestHeader('accept', undefined, { method: 'DELETE' }),
  ),
  fault(
    'a status is written though nobody could read the answer',
    ['content'],
    requestHeader('accept', undefined, { method: 'PATCH', path: /\/status$/ }),
  ),
  slip(
    'the newer description of the API comes in JSON whatever is asked for',
    ['content'],
    'request/openapi/answers.ts',
    'if (accept !== asked3 && !takesSome(accept, jsonOnly)) return unfit;',
    '',
  ),
  slip(
    'the lists of what there is come in JSON whatever is asked for',
    ['content'],
    'request/discovery.ts',
    '  exchange.negotiate({ ...noTransforms, ranges });',
    '  try {\n    exchange.negotiate({ ...noTransforms, ranges });\n  } catch {}',
  ),
  slip(
    'a form that nobody knows is answered with the plain object',
    ['content'],
    'request/negotiate.ts',
    '  if (!transforms.includes(as) || !offer.transforms.includes(as as Transform)) return undefined;\n',
    '',
  ),
  slip(
    'a Table may be asked for by the name of any group',
    ['content'],
    'request/negotiate.ts',
    "if (!as || group !== 'meta.k8s.io' || (version",
    'if (!as || (version',
  ),
  slip(
    'of how much a form is wanted the first digit counts',
    ['content'],
    'request/negotiate.ts',
    "const quality = Number(parameters.get('q') ?? 1);",
    "const quality = Number((parameters.get('q') ?? '1').slice(0, 3));",
  ),
];
