import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Exchange } from './exchange.ts';
import { acceptsGzip } from './negotiate.ts';
import { endRefused, outlasts } from './refused-body.ts';

const compress = promisify(gzip);
/** Smaller answers are not worth compressing. */
const gzipFrom = 128 * 1024;

const largestHttp2Code = 599;

export interface Answer {
  readonly code: number;
  /** Empty: none is told. */
  readonly contentType: string;
  readonly body: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once nobody reads `body` any more, because it was handed to the system; never for an answer that failed. */
  readonly sent?: () => void;
}

/** The text of a `Warning` header (RFC 7234, code 299): quotes and backslashes escaped. */
function warningHeader(text: string): string {
  // Header values go out byte by byte, so UTF-8 is spelled as bytes.
  return Buffer.from(`299 - "${text.replace(/[\\"]/g, '\\$&')}"`).toString('latin1');
}

const commonHeaders = { 'cache-control': 'no-cache, private' } as const;

const flowHeaders = ({ flow }: Exchange): Readonly<Record<string, string>> | undefined =>
  flow && { 'x-kubernetes-pf-flowschema-uid': flow.schema, 'x-kubernetes-pf-prioritylevel-uid': flow.level };

/** Headers that every answer has, streams too. */
export function setCommonHeaders(exchange: Exchange): void {
  const { outgoing, warnings, auditId } = exchange;
  outgoing.setHeader('audit-id', auditId);
  for (const [name, value] of Object.entries(flowHeaders(exchange) ?? {})) outgoing.setHeader(name, value);
  for (const [name, value] of Object.entries(commonHeaders)) outgoing.setHeader(name, value);
  if (warnings.length > 0) outgoing.setHeader('warning', warnings.map(warningHeader));
}

/** Sends a whole answer. */
export function respond(exchange: Exchange, answer: Answer): Promise<void> | undefined {
  const { outgoing, ending } = exchange;
  if (outgoing.headersSent || ending.isOver) return undefined;
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  if (body.length >= gzipFrom && acceptsGzip(exchange.header('accept-encoding'))) {
    return compress(body, { level: 4 }).then((small) => {
      const { sent, ...rest } = answer;
      sent?.();
      send(exchange, rest, small, { 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    });
  }
  send(exchange, answer, body, {});
  return undefined;
}

function send(exchange: Exchange, answer: Answer, body: Buffer, more: Readonly<Record<string, string>>): void {
  const { outgoing, incoming, warnings, auditId } = exchange;
  const headers: Record<string, string | number | string[]> = {
    ...(answer.contentType && { 'content-type': answer.contentType }),
    'content-length': body.length,
    'audit-id': auditId,
    ...commonHeaders,
    ...flowHeaders(exchange),
    ...more,
    ...answer.headers,
  };
  if (warnings.length > 0) headers['warning'] = [...warnings].map(warningHeader);
  const refused = outlasts(incoming);
  if (refused && incoming.httpVersionMajor === 1) headers['connection'] = 'close';
  // A webhook may refuse with any code, but node sends no larger ones over HTTP/2; the Status in the body has it all.
  const code = incoming.httpVersionMajor === 2 ? Math.min(answer.code, largestHttp2Code) : answer.code;
  (outgoing as ServerResponse).writeHead(code, headers);
  if (answer.sent) outgoing.once('finish', answer.sent);
  const shown = incoming.method === 'HEAD' ? undefined : body;
  if (refused) {
    endRefused(incoming, outgoing, shown);
    return;
  }
  // Over HTTP/2 a stream whose body nobody reads is reset, and clients take that for a failure.
  if (incoming.httpVersionMajor === 2) incoming.resume();
  if (shown) outgoing.end(shown);
  else outgoing.end();
}

export const plainText = (code: number, body: string): Answer => ({
  code,
  contentType: 'text/plain; charset=utf-8',
  body,
});
