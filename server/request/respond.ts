import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Exchange } from './exchange.ts';
import { acceptsGzip } from './negotiate.ts';

const compress = promisify(gzip);
/** Smaller answers are not worth compressing. */
const gzipFrom = 128 * 1024;

export interface Answer {
  readonly code: number;
  readonly contentType: string;
  readonly body: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The text of a `Warning` header (RFC 7234, code 299): quotes and backslashes escaped. */
function warningHeader(text: string): string {
  // Header values go out byte by byte, so UTF-8 is spelled as bytes.
  return Buffer.from(`299 - "${text.replace(/[\\"]/g, '\\$&')}"`).toString('latin1');
}

/** Headers that every answer has, streams too. */
export function setCommonHeaders({ outgoing, warnings }: Exchange): void {
  outgoing.setHeader('cache-control', 'no-cache, private');
  if (warnings.length > 0) outgoing.setHeader('warning', warnings.map(warningHeader));
}

/** Sends a whole answer. */
export async function respond(exchange: Exchange, answer: Answer): Promise<void> {
  const { outgoing, incoming } = exchange;
  if (outgoing.headersSent || outgoing.destroyed) return;
  let body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  setCommonHeaders(exchange);
  outgoing.setHeader('content-type', answer.contentType);
  for (const [name, value] of Object.entries(answer.headers ?? {})) outgoing.setHeader(name, value);
  if (body.length >= gzipFrom && acceptsGzip(exchange.header('accept-encoding'))) {
    body = await compress(body, { level: 4 });
    outgoing.setHeader('content-encoding', 'gzip');
    outgoing.setHeader('vary', 'Accept-Encoding');
  }
  outgoing.setHeader('content-length', body.length);
  // What is left of a body that was refused is not read; over HTTP/1.1 that costs the connection.
  if (!incoming.complete && incoming.httpVersionMajor === 1 && answer.code === 413)
    outgoing.setHeader('connection', 'close');
  outgoing.statusCode = answer.code;
  if (incoming.method === 'HEAD') outgoing.end();
  else outgoing.end(body);
}

export const plainText = (code: number, body: string): Answer => ({
  code,
  contentType: 'text/plain; charset=utf-8',
  body,
});
