import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { KeyPair } from '../../lab/certificates.ts';
import { type Exchange, shorten } from '../../verbs/exchange.ts';
import { type Relay, startRelay } from './relay.ts';
import type { Lasting, Reply, Stream } from './replies.ts';
import { WatchSockets } from './watch-sockets.ts';

/** One request of a client, as it came. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** Names as they were written, in which HTTP/1.1 keeps upper and lower case. */
  readonly headerNames: readonly string[];
  readonly body: string;
  /** Milliseconds on the clock of `performance`. */
  readonly at: number;
  /** `1.1` or `2.0`. */
  readonly protocol: string;
  /** The common name in the client's certificate, if it showed one. */
  readonly certificate?: string;
}

export type Answering = (seen: Seen) => Reply | Lasting;

export interface ScriptedServer {
  readonly url: string;
  readonly seen: readonly Seen[];
  readonly relay: Relay;
  /** Shows another certificate from the next connection on. */
  readonly present: (pair: KeyPair) => void;
  /** Says by HTTP/2 that its connections take no further request; those that run may end. */
  readonly goAway: () => void;
  readonly stop: () => Promise<void>;
}

interface Parts {
  readonly keyPair: KeyPair;
  readonly answering: Answering;
  /** Every request is kept there with its answer. */
  readonly exchanges: Exchange[];
}

/** More of a body is not read. */
const mostBytes = 8 << 20;

/** Serves HTTP/1.1, WebSockets and HTTP/2 over TLS on this machine behind a relay; asks for client certificates and takes any. */
export async function startScriptedServer({ keyPair, answering, exchanges }: Parts): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const { certificate: cert, key } = keyPair;
  const server = createSecureServer({ cert, key, allowHTTP1: true, requestCert: true, rejectUnauthorized: false });
  const sessions = sessionsOf(server);
  server.on('request', async (request, response) => {
    response.on('error', () => undefined);
    const body = await bodyOf(request);
    const one = seenOf(request, body);
    seen.push(one);
    answer(one, response, safely(answering, one), record(one, url, exchanges));
  });
  const sockets = new WatchSockets();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const one = seenOf(request, '');
    seen.push(one);
    const given = safely(answering, one);
    const exchange = record(one, url, exchanges);
    exchange.status = 'open' in given ? 101 : (given.status ?? 200);
    sockets.answer({ request, socket, head }, given, noting(exchange));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const relay = await startRelay((server.address() as { port: number }).port);
  const url = `https://127.0.0.1:${relay.port}`;
  return {
    url,
    seen,
    relay,
    present: ({ certificate, key: itsKey }) => server.setSecureContext({ cert: certificate, key: itsKey }),
    goAway() {
      // Closed here, such a session can keep Node from ending.
      for (const session of sessions) session.goaway();
    },
    stop: () => stop(server, sessions, relay),
  };
}

/** The HTTP/2 sessions that are open. */
function sessionsOf(server: Http2SecureServer): ReadonlySet<ServerHttp2Session> {
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
    session.once('close', () => sessions.delete(session));
  });
  server.on('tlsClientError', (_, socket) => socket.destroy());
  return sessions;
}

/** Whatever a client sends, it gets an answer. */
function safely(answering: Answering, seen: Seen): Reply | Lasting {
  try {
    return answering(seen);
  } catch (error) {
    const message = `the judge cannot read the request: ${(error as Error).message}`;
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'BadRequest', message, code: 400 };
    return { status: 400, body: JSON.stringify(status) };
  }
}

async function stop(server: Http2SecureServer, sessions: ReadonlySet<ServerHttp2Session>, relay: Relay): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await relay.stop();
  for (const session of sessions) session.destroy();
  await closed;
}

async function bodyOf(request: Http2ServerRequest): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += (chunk as Buffer).length;
      if (size > mostBytes) break;
      chunks.push(chunk as Buffer);
    }
  } catch {
    // The client has gone; what it sent is all there is.
  }
  return Buffer.concat(chunks).toString();
}

function seenOf(request: Http2ServerRequest | IncomingMessage, body: string): Seen {
  const url = new URL(request.url ?? '/', 'https://server');
  const headers = Object.entries(request.headers).filter(([name]) => !name.startsWith(':'));
  const { CN } = (request.socket as TLSSocket).getPeerCertificate?.()?.subject ?? {};
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    headerNames: request.rawHeaders.filter((_, index) => index % 2 === 0),
    body,
    at: performance.now(),
    protocol: request.httpVersion,
    ...(CN ? { certificate: String(CN) } : {}),
  };
}

function record({ method, path, query, headers, body }: Seen, url: string, exchanges: Exchange[]): Exchange {
  const exchange: Exchange = {
    method,
    url: `${url}${path}${query.size > 0 ? `?${query}` : ''}`,
    requestHeaders: headers,
    ...(body ? { requestBody: body } : {}),
    status: 0,
    answerHeaders: {},
    answerBody: '',
    milliseconds: 0,
    isAsked: true,
  };
  exchanges.push(exchange);
  return exchange;
}

/** Keeps what is sent in answer. */
const noting =
  (exchange: Exchange) =>
  (text: string | Buffer): void => {
    exchange.answerBody = shorten(exchange.answerBody + text);
  };

function answer(seen: Seen, response: Http2ServerResponse, given: Reply | Lasting, exchange: Exchange): void {
  const lasting = 'open' in given;
  const headers: OutgoingHttpHeaders = { 'content-type': 'application/json', ...(lasting ? {} : given.headers) };
  const status = lasting ? 200 : (given.status ?? 200);
  const shown = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  Object.assign(exchange, { status, answerHeaders: shown, milliseconds: Math.round(performance.now() - seen.at) });
  const note = noting(exchange);
  response.writeHead(status, headers);
  if (!lasting) {
    note(given.body);
    response.end(given.body);
    return;
  }
  // The head goes out at once, as clients wait for it.
  (response as { flushHeaders?: () => void }).flushHeaders?.();
  given.open(streamTo(response, note));
}

const streamTo = (response: Http2ServerResponse, note: (text: string | Buffer) => void): Stream => ({
  write(text) {
    note(text);
    if (!response.writableEnded && !response.destroyed) response.write(text);
  },
  end: () => void response.end(),
  onClose: (callback) => void response.once('close', callback),
});

/** The same reply packed, for a client that takes gzip. */
export const packed = ({ body, headers, ...reply }: Reply): Reply => ({
  ...reply,
  headers: { ...headers, 'content-encoding': 'gzip' },
  body: gzipSync(body),
});
