import type { ListPage } from '../registry/list.ts';
import type { Resource } from '../registry/resource.ts';
import { encodeJson } from '../schema/encode.ts';
import type { Stored } from '../store/store.ts';
import { joinItems } from '../store/stored-value.ts';
import type { MediaType } from './negotiate.ts';

/** Turns an object into the bytes of a media type; heavy encoders are loaded when first asked for. */
export async function encodeObject(object: unknown, mediaType: MediaType, pretty: boolean): Promise<Buffer> {
  switch (mediaType) {
    case 'application/json':
      return Buffer.from(pretty ? prettyJson(object) : `${encodeJson(object)}\n`);
    case 'application/yaml': {
      const { encodeYaml } = await import('../schema/yaml.ts');
      return Buffer.from(encodeYaml(object));
    }
    case 'application/vnd.kubernetes.protobuf': {
      const { encodeProtobuf } = await import('../schema/protobuf.ts');
      return encodeProtobuf(object);
    }
  }
}

/** Two spaces a level, for people. Values that a double cannot hold come through the compact encoder. */
function prettyJson(object: unknown): string {
  const text = encodeJson(object);
  return `${indent(text)}\n`;
}

/** Lays out compact JSON text without reading its numbers. */
function indent(text: string): string {
  let out = '';
  let depth = 0;
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

/** List metadata in the order clients are used to. */
export const listMetadata = (custom: boolean, { revision, token, remaining }: ListPage) => ({
  resourceVersion: String(revision),
  // Custom resources are written as they are held, an empty token included.
  ...((token || custom) && { continue: token ?? '' }),
  ...(token && remaining !== undefined && { remainingItemCount: remaining }),
});

/**
 * A list in JSON, joined from the stored bytes, in a buffer of `allocate`. Items of built-in kinds carry neither kind nor
 * apiVersion.
 */
export function listJson(resource: Resource, page: ListPage, allocate?: (size: number) => Buffer): Buffer {
  const { apiVersion } = resource.served;
  const head = `{"kind":${JSON.stringify(resource.listKind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${JSON.stringify(listMetadata(resource.custom !== undefined, page))},"items":[`;
  return joinItems(page.items, { head, tail: ']}\n', bare: !resource.custom }, allocate);
}

/** The same list as a value, for encoders that need one. */
export function listObject(resource: Resource, page: ListPage) {
  const items = resource.custom ? page.items.map(({ value }) => value) : page.items.map(({ value }) => bareItem(value));
  return {
    kind: resource.listKind,
    apiVersion: resource.served.apiVersion,
    metadata: listMetadata(resource.custom !== undefined, page),
    items,
  };
}

function bareItem(value: Stored['value']) {
  const { kind: _kind, apiVersion: _apiVersion, ...bare } = value;
  return bare;
}
