import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { Exchange } from '../exchange.ts';
import { acceptsGzip } from '../negotiate.ts';
import { endTogether } from './end-together.ts';
import { chain, iterate, type Piece, type Pieces, sendPieces } from './pieces.ts';
import { endRefused, outlasts } from './refused-body.ts';

const compress = promisify(gzip);
/** Smaller answers are not worth compressing. */
const gzipFrom = 128 * 1024;

/** What is written together is copied together first, which costs large bodies more than a write of its own for the head. */
const worthAlone = 64 * 1024;

const largestHttp2Code = 599;
const notModified = 304;

interface AnswerHead {
  readonly code: number;
  /** Empty: none is told. */
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WholeAnswer extends AnswerHead {
  readonly body: Buffer | string;
}

/** What is answered to a GET, or a write, of HTTP/1.1. */
export interface TextAnswer extends AnswerHead {
  /** Short, and all ASCII; it is sent with a newline. */
  readonly text: string;
}

/** An answer that is made while it is sent. */
export interface PiecedAnswer extends AnswerHead {
  readonly pieces: Pieces;
  /** How many bytes all pieces have together, where that can be told before they are made. */
  length?(): number;
}

export type Answer = WholeAnswer | TextAnswer | PiecedAnswer;

/** The text of a `Warning` header (RFC 7234, code 299): quotes and backslashes escaped. */
function warningHeader(text: string): string {
  // Header values go out byte by byte, so UTF-8 is spelled as bytes.
  return Buffer.from(`299 - "${text.replace(/[\\"]/g, '\\$&')}"`).toString('latin1');
}

const commonHeaders = { 'cache-control': 'no-cache, private' } as const;

/** Headers that every answer has, streams too. */
export function setCommonHeaders(exchange: Exchange): void {
  const { outgoing, warnings, auditId, flowHeaders } = exchange;
  outgoing.setHeader('audit-id', auditId);
  for (const [name, value] of Object.entries({ ...commonHeaders, ...flowHeaders })) outgoing.setHeader(name, value);
  if (warnings.length > 0) outgoing.setHeader('warning', warnings.map(warningHeader));
  if (endsConnection(exchange)) outgoing.setHeader('connection', 'close');
}

const level = 4;
const gzipped = { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } as const;

/** To encrypt more bytes in one go would hold up everybody else. */
const atOnce = 1024 * 1024;

function* slicesOf(bytes: Buffer): Generator<Piece> {
  for (let at = 0; at < bytes.length; at += atOnce) yield { bytes: bytes.subarray(at, at + atOnce) };
}

/** Sends an answer. Resolves once it was handed over. @throws what making a piece of it throws */
export function respond(exchange: Exchange, answer: Answer): Promise<void> | undefined {
  const { outgoing, ending } = exchange;
  if (outgoing.headersSent || ending.isOver) return undefined;
  if ('pieces' in answer) return respondInPieces(exchange, answer);
  if ('text' in answer) return sendText(exchange, answer);
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  return sendWhole(exchange, answer, { bytes: body });
}

/** The head is text as well: together they are one write, without memory for bytes. */
function sendText(exchange: Exchange, answer: TextAnswer): undefined {
  const line = `${answer.text}\n`;
  const refused = sendHead(exchange, answer, { 'content-length': line.length });
  if (refused) sendBody(exchange, Buffer.from(line), refused);
  else endTogether(exchange.outgoing as ServerResponse, line);
}

function sendWhole(exchange: Exchange, head: AnswerHead, { bytes, sent }: Piece): Promise<void> | undefined {
  if (bytes.length >= gzipFrom && acceptsGzip(exchange.header('accept-encoding'))) {
    return compress(bytes, { level }).then((small) => {
      sent?.();
      const refused = sendHead(exchange, head, { 'content-length': small.length, ...gzipped });
      sendBody(exchange, small, refused);
    });
  }
  // Where nothing is sent since nothing changed, no length is told.
  const refused = sendHead(exchange, head, head.code === notModified ? {} : { 'content-length': bytes.length });
  const { incoming, outgoing } = exchange;
  if (sent) outgoing.once('finish', sent);
  if (bytes.length > atOnce && !refused && incoming.method !== 'HEAD') {
    if (incoming.httpVersionMajor === 2) incoming.resume();
    return sendPieces(exchange, slicesOf(bytes), outgoingOf(exchange));
  }
  if (refused || incoming.method === 'HEAD' || incoming.httpVersionMajor === 2) sendBody(exchange, bytes, refused);
  else if (bytes.length >= worthAlone) {
    (outgoing as ServerResponse).flushHeaders();
    outgoing.end(bytes);
  } else endTogether(outgoing as ServerResponse, bytes);
  return undefined;
}

/** What fits into one piece is sent whole. */
async function respondInPieces(exchange: Exchange, answer: PiecedAnswer): Promise<void> {
  const pieces = iterate(answer.pieces);
  const first = await pieces.next();
  if (first.done) throw new Error('an answer without a piece');
  const second = await pieces.next();
  if (second.done) return sendWhole(exchange, answer, first.value);
  const zips = acceptsGzip(exchange.header('accept-encoding'));
  const length = zips ? undefined : answer.length?.();
  const refused = sendHead(exchange, answer, zips ? gzipped : length === undefined ? {} : { 'content-length': length });
  if (exchange.incoming.method === 'HEAD') return sendBody(exchange, undefined, refused);
  if (length !== undefined && exchange.incoming.httpVersionMajor === 1) outgoingOf(exchange).flushHeaders();
  await sendPieces(
    exchange,
    chain([first.value, second.value], pieces),
    zips ? zipInto(exchange) : outgoingOf(exchange),
  );
}

const outgoingOf = ({ outgoing }: Exchange) => outgoing as ServerResponse;

/** Compresses what is written to it into the response. */
function zipInto(exchange: Exchange) {
  const zip = createGzip({ level, flush: constants.Z_NO_FLUSH });
  exchange.ending.whenOver(() => zip.destroy());
  zip.pipe(outgoingOf(exchange));
  return zip;
}

/** Whether a connection is over with this answer; one of HTTP/2 is told so by itself. */
const endsConnection = ({ entrance, incoming }: Exchange, refused = false): boolean =>
  (refused || entrance.isClosing) && incoming.httpVersionMajor === 1;

/** @returns whether a body was refused, and is still on its way */
function sendHead(exchange: Exchange, answer: AnswerHead, more: Readonly<Record<string, string | number>>): boolean {
  const { outgoing, incoming, warnings, auditId, flowHeaders } = exchange;
  // What is spread first is copied as it is; all else costs a look at each name.
  const headers: Record<string, string | number | string[]> = { ...flowHeaders };
  headers['cache-control'] = commonHeaders['cache-control'];
  headers['audit-id'] = auditId;
  if (answer.contentType) headers['content-type'] = answer.contentType;
  for (const name in more) headers[name] = more[name] as string;
  if (answer.headers) Object.assign(headers, answer.headers);
  if (warnings.length > 0) headers['warning'] = [...warnings].map(warningHeader);
  const refused = !incoming.complete && outlasts(incoming);
  if (endsConnection(exchange, refused)) headers['connection'] = 'close';
  // A webhook may refuse with any code, but node sends no larger ones over HTTP/2; the Status in the body has it all.
  const code = incoming.httpVersionMajor === 2 ? Math.min(answer.code, largestHttp2Code) : answer.code;
  (outgoing as ServerResponse).writeHead(code, headers);
  return refused;
}

function sendBody({ incoming, outgoing }: Exchange, body: Buffer | undefined, refused: boolean): void {
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

/** Text that browsers are not to take for anything else, whatever it looks like. */
export const mereText = (code: number, body: string, more: AnswerHead['headers'] = {}): WholeAnswer => ({
  ...plainText(code, body),
  headers: { 'x-content-type-options': 'nosniff', ...more },
});

export const plainText = (code: number, body: string): WholeAnswer => ({
  code,
  contentType: 'text/plain; charset=utf-8',
  body,
});
