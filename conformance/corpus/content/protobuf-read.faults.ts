import { slip } from '../fault.ts';

const protobufDecode = 'schema/protobuf/decode.ts';

/** Protobuf, as it is read. */
export default [
  slip(
    'bytes that are no text are broken where protobuf is read',
    ['content'],
    protobufDecode,
    "return Buffer.from(reader.bytes()).toString('base64');",
    "return Buffer.from(Buffer.from(reader.bytes()).toString('utf8')).toString('base64');",
  ),
  slip(
    'false is taken for unset where protobuf is read',
    ['content'],
    protobufDecode,
    '  else putMember(into, field.name, value);\n}',
    '  else if (value !== false) putMember(into, field.name, value);\n}',
  ),
  slip(
    'a protobuf zero is taken for unset',
    ['content'],
    protobufDecode,
    '  else putMember(into, field.name, value);\n}',
    '  else if (value !== 0) putMember(into, field.name, value);\n}',
  ),
  slip(
    'of a packed or repeated field in protobuf only the last counts',
    ['content'],
    protobufDecode,
    'if (field.repeated) listAt(into, field.name).push(value);',
    'if (field.repeated) listAt(into, field.name).splice(0, 1, value);',
  ),
  slip(
    'the values of a map in protobuf are dropped when they are empty',
    ['content'],
    protobufDecode,
    '  putMember(into, key, value);\n}',
    "  if (value !== '') putMember(into, key, value);\n}",
  ),
  slip(
    'times lose their microseconds where protobuf is read',
    ['content', 'event'],
    protobufDecode,
    "const fraction = String(Math.trunc(Number(parts.get(2) ?? 0) / 1000)).padStart(6, '0');",
    "const fraction = '000000';",
  ),
  slip(
    'an entry of a map in protobuf that leaves out its value has a text where a message belongs',
    ['content'],
    protobufDecode,
    "let value: Json = field.form === 'message' ? {} : '';",
    "let value: Json = '';",
  ),
  slip(
    'what a message does not know is refused where protobuf is read',
    ['content'],
    protobufDecode,
    'if (!field) skipField(reader, tag);',
    "if (!field) throw new ProtobufMistake('there is no such field');",
  ),
  slip(
    'what is kept as it comes is lost where protobuf is read',
    ['content'],
    protobufDecode,
    "    case 'rawJson':\n      return parsed(readRaw(reader, end));",
    "    case 'rawJson':\n      readRaw(reader, end);\n      return null;",
  ),
  slip(
    'a time of nothing is the beginning of time where protobuf is read',
    ['content'],
    protobufDecode,
    '  if (parts.size === 0) return null;\n',
    '',
  ),
  slip(
    'a schema within a schema is lost where protobuf is read',
    ['content'],
    protobufDecode,
    '  if (schema !== undefined) return schema;\n',
    '',
  ),
];
