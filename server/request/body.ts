import { badRequest, entityTooLarge, unsupportedMediaType } from '../base/status-error.ts';
import type { Decoded } from '../schema/decoded.ts';
import { decodeJsonInTurns, plain } from '../schema/json.ts';
import type { ExpectedType } from '../schema/protobuf/protobuf.ts';
import type { Exchange } from './exchange.ts';
import { everyMediaType, type MediaType } from './negotiate.ts';

/** The largest body of any request, in bytes. */
const maxBodyBytes = 3 * 1024 * 1024;

const empty = Buffer.alloc(0);

const tooLarge = () => entityTooLarge(`limit is ${maxBodyBytes}`);

/** Reads the whole body, up to the limit. @throws 413 too large, 400 the client went away in the middle */
export function readBody({ incoming, ending }: Exchange): Promise<Buffer> | Buffer {
  // A body that was given up looks like a whole one over HTTP/2, or like none.
  if (incoming.aborted || ending.isOver) throw tooEarly();
  const length = incoming.headers['content-length'];
  if (length === '0' || (length === undefined && incoming.complete && incoming.readableLength === 0)) return empty;
  if (length !== undefined && Number(length) > maxBodyBytes) throw tooLarge();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  let whole = false;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBodyBytes) {
      incoming.removeAllListeners('data');
      incoming.pause();
      reject(tooLarge());
    } else chunks.push(chunk);
  });
  const cutShort = () => {
    if (!whole) reject(tooEarly());
  };
  incoming.on('end', () => {
    whole = !incoming.aborted;
    if (whole) resolve(chunks.length === 1 ? (chunks[0] ?? empty) : Buffer.concat(chunks));
    else cutShort();
  });
  incoming.on('error', () => reject(badRequest('the request body could not be read')));
  // Whatever else becomes of the request, its exchange is over then.
  ending.whenOver(cutShort);
  return promise;
}

const tooEarly = () => badRequest('the request body ended too early');

/** The media type of a Content-Type header without its parameters. */
export const mediaTypeOf = (header: string | undefined) => (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** @throws 415 for a body that is none of the offered types; no type at all means JSON */
export function bodyMediaType(header: string | undefined, offered: readonly MediaType[] = everyMediaType): MediaType {
  // What nearly every client sends.
  if (header === 'application/json' || !header?.trim()) return 'application/json';
  const type = mediaTypeOf(header);
  const known = offered.find((mediaType) => mediaType === type);
  if (!known) throw unsupportedMediaType(offered);
  return known;
}

/**
 * Reads a body, at once where it is short JSON. @throws 400 when it is not what its type says
 * @param expected what it is where protobuf does not say so
 */
export const decodeBody = (body: Buffer, mediaType: MediaType, expected: ExpectedType): Promise<Decoded> | Decoded =>
  mediaType === 'application/json' ? decodeJsonInTurns(body) : decodeOther(body, mediaType, expected);

/** Most servers never see these. */
async function decodeOther(
  body: Buffer,
  mediaType: Exclude<MediaType, 'application/json'>,
  expected: ExpectedType,
): Promise<Decoded> {
  if (mediaType === 'application/yaml') return (await import('../schema/yaml/yaml.ts')).decodeYaml(body);
  return plain((await import('../schema/protobuf/protobuf.ts')).decodeProtobuf(body, expected));
}
