import {
  answerStatus,
  answerWith,
  ignoreQuery,
  requestHeader,
  sabotage,
  statusObject,
} from '../../sabotage/transforms.ts';
import { readEnvelope, withoutZeros, writeEnvelope } from '../../verbs/protobuf.ts';
import { fault, slip } from '../fault.ts';
import { inProtobuf, itemsOf } from '../matches.ts';

const protobufEncode = 'schema/protobuf/encode.ts';

/** What is written in protobuf, without the numbers and booleans that are zero. */
const zerosLost = sabotage('', () => ({
  request: (request) => {
    if (!/protobuf/.test(String(request.headers['content-type'] ?? ''))) return request;
    const envelope = readEnvelope(request.body);
    return { ...request, body: writeEnvelope({ ...envelope, raw: withoutZeros(envelope.raw) }) };
  },
}));

const protobuf = { header: { 'content-type': /protobuf/ } };

/** Protobuf, written and as a whole. */
export default [
  fault(
    'requests for certificates are not read from protobuf',
    ['content', 'csr'],
    answerWith(415, statusObject(415, 'UnsupportedMediaType'), {
      method: 'POST',
      path: /\/certificatesigningrequests$/,
      header: { 'content-type': /protobuf/ },
    }),
  ),
  fault(
    'a status is not read from protobuf',
    ['content'],
    answerWith(415, statusObject(415, 'UnsupportedMediaType'), {
      method: 'PUT',
      path: /\/status$/,
      header: { 'content-type': /protobuf/ },
    }),
  ),
  fault(
    'a Role cannot be had in protobuf',
    ['content'],
    requestHeader('accept', 'application/json', {
      method: 'GET',
      path: itemsOf('roles'),
      header: { accept: /protobuf/ },
    }),
  ),
  fault('a protobuf false is taken for unset', 'content', zerosLost),
  fault('protobuf is read from POST only', 'content', answerStatus(415, { ...protobuf, method: 'PUT' })),
  fault(
    'lists of named groups are never protobuf',
    'content',
    requestHeader('accept', undefined, { path: /^\/apis\/.*\/[a-z]+$/, header: { accept: /protobuf/ } }),
  ),
  slip(
    'numbers of 64 bits are cut to 32 in protobuf',
    ['content'],
    protobufEncode,
    'writer.int64(typeof',
    'writer.int32(typeof',
  ),
  slip(
    'a number in protobuf is never negative',
    ['content'],
    protobufEncode,
    ": Number(value));\n      return;\n    case 'double'",
    ": Math.abs(Number(value)));\n      return;\n    case 'double'",
  ),
  slip(
    'a count of percent is a number in protobuf',
    ['content'],
    protobufEncode,
    "if (typeof value === 'string') writer.uint32(8)",
    "if (typeof value === 'string' && !value.endsWith('%')) writer.uint32(8)",
  ),
  slip(
    'false is not written in protobuf',
    ['content'],
    protobufEncode,
    'if (member === undefined || member === null) continue;',
    'if (member === undefined || member === null || member === false) continue;',
  ),
  slip(
    'of a list within a map protobuf tells the first',
    ['content', 'csr'],
    protobufEncode,
    'for (const each of (value as string[] | null) ?? [])',
    'for (const each of ((value as string[] | null) ?? []).slice(0, 1))',
  ),
  slip(
    'managers are not told in protobuf',
    ['content'],
    protobufEncode,
    'if (member === undefined || member === null) continue;',
    "if (member === undefined || member === null || field.name === 'managedFields') continue;",
  ),
  slip(
    'entries of maps in protobuf are not numbered as they should be',
    ['content'],
    protobufEncode,
    '{ ...field, number: 2 }',
    '{ ...field }',
  ),
  slip(
    'protobuf knows no fractions of a second',
    ['content', 'event'],
    protobufEncode,
    "    .int32(Number(fraction.padEnd(9, '0')));",
    "    .int32(0 * Number(fraction.padEnd(9, '0')));",
  ),
  slip(
    'who reads protobuf is refused in JSON',
    ['content', 'errors'],
    'request/negotiate.ts',
    "if (found && !parameters.has('as')) return found;",
    "if (found && found !== 'application/vnd.kubernetes.protobuf' && !parameters.has('as')) return found;",
  ),
  slip(
    'protobuf knows no types but those of entries',
    ['content'],
    'schema/protobuf/plan.ts',
    'const type = valueType ?? field.type;',
    'const type = (valueType);',
  ),
  slip(
    'a map in protobuf loses what is empty',
    ['content'],
    'schema/protobuf/encode.ts',
    'for (const key of Object.keys(value)) {\n    writer\n',
    "for (const key of Object.keys(value)) {\n    if (value[key] === '') continue;\n    writer\n",
  ),
  slip(
    'nought is not written in protobuf',
    ['content'],
    'schema/protobuf/encode.ts',
    'if (member === undefined || member === null) continue;',
    'if (member === undefined || member === null || member === 0) continue;',
  ),
  slip(
    'empty texts are not written in protobuf',
    ['content'],
    'schema/protobuf/encode.ts',
    'if (member === undefined || member === null) continue;',
    "if (member === undefined || member === null || member === '') continue;",
  ),
  slip(
    'a port that is named is a number in protobuf',
    ['content', 'meta', 'lists'],
    'schema/protobuf/encode.ts',
    "if (typeof value === 'string') writer.uint32(8).int64(1)",
    "if (value === '0%' || (typeof value === 'string' && !value.includes('%'))) writer.uint32(8).int64(0).uint32(26).string(value);\n      else if (typeof value === 'string') writer.uint32(8).int64(1)",
  ),
  slip(
    'a MicroTime has no microseconds in protobuf',
    ['content', 'event'],
    'schema/protobuf/encode.ts',
    'writeTime(writer, String(value));\n      return;',
    "writeTime(writer, String(value).replace(/\\.\\d+/, ''));\n      return;",
  ),
  slip(
    'what is beyond the basic plane is lost in protobuf',
    ['content', 'fields'],
    'schema/protobuf/encode.ts',
    "    case 'string':\n      writer.string(String(value ?? ''));",
    "    case 'string':\n      writer.string(String(value ?? '').replace(/[\\u{10000}-\\u{10ffff}]/gu, '?'));",
  ),
  slip(
    'the fraction of a second is told in protobuf as so many nanoseconds',
    ['content', 'kinds', 'versioning'],
    protobufEncode,
    "Number(fraction.padEnd(9, '0'))",
    'Number(fraction)',
  ),
  slip(
    'a page in protobuf has no continue token',
    ['lists', 'content'],
    'schema/protobuf/protobuf.ts',
    'const members = { ...list } as { [key: string]: Json };',
    `const { resourceVersion = '' } = (list as { metadata?: { resourceVersion?: string } }).metadata ?? {};
  const members = { ...list, metadata: { resourceVersion } } as { [key: string]: Json };`,
  ),
  slip(
    'a percentage is told in protobuf as a number',
    ['content', 'versioning'],
    protobufEncode,
    "if (typeof value === 'string') writer.uint32(8).int64(1).uint32(26).string(value);",
    "if (typeof value === 'string' && Number.isNaN(Number.parseInt(value, 10)))\n        writer.uint32(8).int64(1).uint32(26).string(value);\n      else if (typeof value === 'string') writer.uint32(8).int64(0).uint32(16).int32(Number.parseInt(value, 10));",
  ),
  slip(
    'bytes are told in protobuf as the text of their base64',
    ['content'],
    'schema/protobuf/encode.ts',
    "writer.bytes(Buffer.from(String(value ?? ''), 'base64'));",
    "writer.bytes(Buffer.from(String(value ?? '')));",
  ),
  slip(
    'microseconds in protobuf lose their leading zeros',
    ['content'],
    'schema/protobuf/decode.ts',
    "String(Math.trunc(Number(parts.get(2) ?? 0) / 1000)).padStart(6, '0')",
    "String(Math.trunc(Number(parts.get(2) ?? 0) / 1000)).padEnd(6, '0')",
  ),
  slip(
    'what is kept as it comes is lost where it is told in protobuf',
    ['content'],
    protobufEncode,
    'writer.uint32(10).bytes(Buffer.from(encodeJson(value)));',
    "writer.uint32(10).bytes(Buffer.from(encodeJson(field.form === 'fieldSet' ? value : null)));",
  ),
  slip(
    'numbers lose their fraction in protobuf',
    ['content'],
    protobufEncode,
    'writer.double(Number(value));',
    'writer.double(Math.trunc(Number(value)));',
  ),
  slip(
    'protobuf needs no prefix',
    ['content'],
    'schema/protobuf/protobuf.ts',
    'if (body.length < 4 || !prefix.equals(body.subarray(0, 4)))',
    'if (body.length < 4)',
  ),
  slip(
    'a group that no message knows ends where it begins',
    ['content'],
    'schema/protobuf/skip.ts',
    'if (depth === 0) return;',
    'return;',
  ),
  fault('pages in protobuf begin anew', ['params'], ignoreQuery('continue', { method: 'GET', header: inProtobuf })),
  slip(
    'a text that a list has twice is told once in protobuf',
    ['content'],
    'schema/protobuf/encode.ts',
    'else if (field.repeated) for (const each of member as Json[]) writeField(writer, each, field);',
    'else if (field.repeated) for (const each of new Set(member as Json[])) writeField(writer, each, field);',
  ),
  slip(
    'times before those that computers count from are told in protobuf as where they begin',
    ['content'],
    'schema/protobuf/encode.ts',
    '.int64(Math.floor(milliseconds / 1000))',
    '.int64(Math.max(0, Math.floor(milliseconds / 1000)))',
  ),
];
