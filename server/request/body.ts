import { badRequest, bodyTooLarge } from '../base/status-error.ts';
import type { Exchange } from './exchange.ts';

/** The largest body of any request, in bytes. */
export const maxBodyBytes = 3 * 1024 * 1024;

const empty = Buffer.alloc(0);

/** Reads the whole body, up to the limit. @throws 413 too large, 400 the client went away in the middle */
export async function readBody({ incoming, ending }: Exchange): Promise<Buffer> {
  const tooEarly = () => badRequest('the request body ended too early');
  // A body that was given up looks like a whole one over HTTP/2, or like none.
  if (incoming.aborted || ending.isOver) throw tooEarly();
  const length = incoming.headers['content-length'];
  if (length === '0' || (length === undefined && incoming.complete && incoming.readableLength === 0)) return empty;
  if (length !== undefined && Number(length) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) {
        incoming.removeAllListeners('data');
        incoming.pause();
        reject(bodyTooLarge(maxBodyBytes));
      } else chunks.push(chunk);
    });
    const cutShort = () => reject(tooEarly());
    incoming.on('end', () => {
      if (incoming.aborted) cutShort();
      else resolve(chunks.length === 1 ? (chunks[0] ?? empty) : Buffer.concat(chunks));
    });
    incoming.on('error', () => reject(badRequest('the request body could not be read')));
    incoming.on('aborted', cutShort);
    ending.whenOver(cutShort);
  });
}
