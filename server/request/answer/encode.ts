import { encodeJson } from '../../schema/encode.ts';
import type { MediaType } from '../negotiate.ts';

/** Turns an object into the bytes of a media type; heavy encoders are loaded when first asked for. */
export async function encodeObject(object: unknown, mediaType: MediaType, pretty: boolean): Promise<Buffer> {
  switch (mediaType) {
    case 'application/json':
      return Buffer.from(pretty ? prettyJson(object) : `${encodeJson(object)}\n`);
    case 'application/yaml': {
      const { encodeYaml } = await import('../../schema/yaml/yaml.ts');
      return Buffer.from(encodeYaml(object));
    }
    case 'application/vnd.kubernetes.protobuf': {
      const { encodeProtobuf } = await import('../../schema/protobuf/protobuf.ts');
      return encodeProtobuf(object);
    }
  }
}

/** Two spaces a level, for people. Values that a double cannot hold come through the compact encoder. */
function prettyJson(object: unknown): string {
  const text = encodeJson(object);
  return `${indent(text)}\n`;
}

/** Lays out compact JSON text without reading its numbers. @param level how deep it stands in what is laid out already */
export function indent(text: string, level = 0): string {
  let out = '';
  let depth = level;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') {
      const end = endOfString(text, i);
      out += text.slice(i, end);
      i = end - 1;
    } else if (char === '{' || char === '[') {
      const close = text[i + 1];
      if (close === '}' || close === ']') {
        out += char + close;
        i++;
      } else {
        depth++;
        out += char + line();
      }
    } else if (char === '}' || char === ']') {
      depth--;
      out += line() + char;
    } else if (char === ',') out += char + line();
    else out += char === ':' ? ': ' : char;
  }
  return out;
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i + 1;
}
