import { badRequest, unsupportedMediaType } from '../base/status-error.ts';
import type { Decoded } from '../schema/decoded.ts';
import { decodeJson, plain } from '../schema/json.ts';
import { everyMediaType, type MediaType } from './negotiate.ts';

/** The media type of a Content-Type header without its parameters. */
export const mediaTypeOf = (header: string | undefined) => (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** @throws 415 for a body that is none of the offered types; no type at all means JSON */
export function bodyMediaType(header: string | undefined, offered: readonly MediaType[] = everyMediaType): MediaType {
  const type = mediaTypeOf(header);
  if (!header?.trim()) return 'application/json';
  const known = offered.find((mediaType) => mediaType === type);
  if (!known) throw unsupportedMediaType(offered);
  return known;
}

/** Reads a body. @throws 400 when it is not what its type says */
export async function decodeBody(body: Buffer, mediaType: MediaType): Promise<Decoded> {
  switch (mediaType) {
    case 'application/json':
      return decodeJson(body);
    case 'application/yaml': {
      const { decodeYaml } = await import('../schema/yaml.ts');
      return decodeYaml(body);
    }
    case 'application/vnd.kubernetes.protobuf': {
      const { decodeProtobuf } = await import('../schema/protobuf.ts');
      return plain(decodeProtobuf(body));
    }
    default:
      throw badRequest('unknown body type');
  }
}
