import type { IncomingMessage, ServerResponse as Response, Server } from 'node:http';
import type { Http2Server, ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers';
import { createServer as createTls, type TLSSocket, type TlsOptions, type Server as TlsServer } from 'node:tls';
import { lazily } from '../../base/caches/memo.ts';
import { endOn, type Incoming, type Outgoing, type Upgrade } from '../exchange.ts';
import { leave, whenFree } from './free-socket.ts';
import { LostSessions } from './lost-sessions.ts';
import { type NamedPairs, type Pair, ShownCertificates } from './shown-certificates.ts';
import { answerUnknownMethod, readHead } from './unknown-method.ts';

// An import of this module would load all that it can offer, a WebSocket client too, and so hold up every start.
const { createServer: createHttp1, METHODS, ServerResponse } = process.getBuiltinModule('node:http');

/** Loaded for the first client that speaks it: it takes a tenth of the time of a start. */
const http2Module = () => process.getBuiltinModule('node:http2');

export type RequestListener = (incoming: Incoming, outgoing: Outgoing, upgrade?: Upgrade) => void;

/** Bounds on what one connection may do before its request is understood. */
const headerBytes = 64 * 1024;
const headerLines = 2000;
const headersTimeout = 60_000;
const requestTimeout = 300_000;
const keepAliveTimeout = 180_000;
const handshakeTimeout = 30_000;
const streamsPerConnection = 250;
/** Bytes that may be on their way to us on one connection, of one stream and of all: some bodies, not one after the other. */
const window = { stream: 1024 * 1024, connection: 8 * 1024 * 1024 };
/** Megabytes a connection may hold; clients send everything they have over one, watches too. */
const sessionMemory = 1000;
/** Until a client has heard that a connection ends, in milliseconds. */
const goodbyeTakes = 1000;
const lastOfAllStreams = 2 ** 31 - 1;
/** RFC 9113, section 7. */
const noError = 0;

export interface HttpServer {
  /** The port that was taken. */
  readonly port: number;
  /** Names other authorities to clients that show a certificate; for new connections. PEM each. */
  setClientAuthorities(authorities: readonly string[]): void;
  /** Shows another certificate to new connections. @throws Error when it cannot be read, or the key is not its own */
  setCertificate(pair: Pair): void;
  /** Shows others to those who ask by name; likewise. */
  setNamed(named: NamedPairs): void;
  /** Says to clients of HTTP/2 that the end is near; which of their streams is the last is said when it is known. */
  announceEnd(): void;
  /** No new connections; those that idle are closed. */
  stopAccepting(): void;
  /** Ends every connection, whatever it does. */
  destroy(): void;
}

export interface HttpServerOptions {
  readonly address: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly tls: TlsOptions;
  /** What is shown to clients that ask for a name: by names in lower case, `*` for one label. */
  readonly named?: NamedPairs;
  readonly listener: RequestListener;
  /** Asked at each request over HTTP/2: whether its connection takes no further ones; missing: never. Those that run are answered. */
  readonly isLast?: () => boolean;
}

/**
 * HTTPS with HTTP/1.1 keep-alive and HTTP/2 by ALPN. One TLS server takes the connections and hands each to the
 * protocol it negotiated.
 */
export async function listen({
  address,
  port,
  tls,
  named,
  listener,
  isLast = never,
}: HttpServerOptions): Promise<HttpServer> {
  const http1 = makeHttp1(listener);
  const kept: Kept = { sessions: new Set(), sockets: new Map(), lost: new LostSessions() };
  const http2 = lazily(() =>
    makeHttp2(leavingAfter(listener, isLast)).on('session', (session) => keepSession(session, kept)),
  );
  const shown = new ShownCertificates(tls, named);
  const server = createTls({ ...shown.options, ALPNProtocols: ['h2', 'http/1.1'], handshakeTimeout });
  server.on('connection', (socket) => keepSocket(socket, kept.sockets));
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => socket.destroy());
    // Its client has gone already, of which a session on it would never hear.
    if (!socket.remoteAddress) return void socket.destroy();
    (socket.alpnProtocol === 'h2' ? http2() : http1).emit('connection', socket);
  });
  server.on('tlsClientError', (error, socket) => refuseHandshake(error, socket, kept.sockets));
  await listening(server, port, address);
  return {
    port: (server.address() as AddressInfo).port,
    setClientAuthorities: (authorities) => shown.change(server, { ca: [...authorities] }),
    setCertificate: ({ certificate, key }) => shown.change(server, { cert: certificate, key }),
    setNamed: (pairs) => shown.setNamed(pairs),
    ...endings(server, http1, kept),
  };
}

/** The ways to end it, from the gentlest to the last. */
const endings = (
  server: TlsServer,
  http1: Server,
  { sessions, sockets, lost }: Kept,
): Pick<HttpServer, 'announceEnd' | 'stopAccepting' | 'destroy'> => ({
  announceEnd() {
    // One that was destroyed is known until it says so.
    for (const session of sessions) if (!session.destroyed) session.goaway(noError, lastOfAllStreams);
  },
  stopAccepting() {
    server.close();
    http1.closeIdleConnections();
    for (const session of sessions) session.close();
  },
  destroy() {
    lost.stop();
    server.close();
    http1.close();
    for (const session of sessions) session.destroy();
    for (const socket of sockets.values()) socket.destroy();
  },
});

/** What is open: each is known until it ends. */
interface Kept {
  readonly sessions: Set<ServerHttp2Session>;
  readonly sockets: Sockets;
  readonly lost: LostSessions;
}

/** Knows a session until it ends. One whose connection is lost while it ends may say nothing for ever, and so may its TLS socket. */
function keepSession(session: ServerHttp2Session, { sessions, sockets, lost }: Kept): void {
  sessions.add(session);
  session.setLocalWindowSize(window.connection);
  const raw = sockets.get(peerOf(session.socket));
  const lose = () => {
    session.destroy();
    sessions.delete(session);
    endOn(session);
  };
  if (raw) {
    raw.once('close', lose);
    lost.follow(session, raw);
  } else setImmediate(lose);
  session.once('close', () => sessions.delete(session));
  session.on('error', () => session.destroy());
}

/** Knows a socket until it is closed. */
function keepSocket(socket: Socket, sockets: Sockets): void {
  const peer = peerOf(socket);
  // Nobody can be there twice: a connection of before is lost, though nothing told of that.
  sockets.get(peer)?.destroy();
  sockets.set(peer, socket);
  socket.setNoDelay(true);
  socket.once('close', () => {
    if (sockets.get(peer) === socket) sockets.delete(peer);
  });
}

/** Ends a connection on which TLS did not come about, and tells who spoke plain HTTP so. */
function refuseHandshake(error: NodeJS.ErrnoException, socket: TLSSocket, sockets: Sockets): void {
  const raw = error.code === 'ERR_SSL_HTTP_REQUEST' ? sockets.get(peerOf(socket)) : undefined;
  if (raw) raw.end(plainRefusal, () => socket.destroy());
  else socket.destroy();
}

/** What is said without TLS to who spoke without it. */
const plainRefusal = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/** The sockets on which TLS connections are or were to be, by who is at their other end. */
type Sockets = Map<string, Socket>;
const peerOf = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress} ${remotePort}`;

function listening(server: TlsServer, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function makeHttp1(listener: RequestListener): Server {
  const server = createHttp1(
    {
      maxHeaderSize: headerBytes,
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      noDelay: true,
      shouldUpgradeCallback: wantsStreams,
    },
    listener as (request: IncomingMessage, response: Response) => void,
  );
  server.maxHeadersCount = headerLines;
  server.on('clientError', (error, socket) => refuse(error, socket, listener));
  server.on('upgrade', (request, socket, head) =>
    whenFree(socket as Socket, () => upgrade(request, { socket, head }, listener)),
  );
  server.on('connect', (_request, socket) => whenFree(socket as Socket, () => sayGoodbye(socket, notAllowed)));
  return server;
}

/** Whether the connection of a request is to become one of streams; to others its other protocols are none of ours. */
const wantsStreams = ({ url = '', headers }: IncomingMessage): boolean =>
  (/^(?:spdy\/3\.1|websocket)$/i.test(headers.upgrade ?? '') &&
    /\/(?:exec|attach|portforward|proxy)(?:[/?]|$)/.test(url)) ||
  (/^websocket$/i.test(headers.upgrade ?? '') && /[?&]watch=|\/watch\//.test(url));

/** Gives a request a way to be answered after the parser has let go of its connection. */
function upgrade(request: IncomingMessage, way: Upgrade, listener: RequestListener): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(way.socket as Socket);
  response.once('finish', () => {
    response.detachSocket(way.socket as Socket);
    response.emit('close');
    leave(way.socket);
  });
  listener(request, response, way);
}

/** By the parser's own names for what it found. */
const refusals: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** The head of a request whose method alone is unknown to the parser, where the packet begins with it. */
function headOf({ code, rawPacket }: ParserError) {
  const head = code === 'HPE_INVALID_METHOD' && rawPacket ? readHead(rawPacket) : undefined;
  return head && !METHODS.includes(head.method) ? head : undefined;
}

const notAllowed = '405 Method Not Allowed';
const refused = new WeakSet<Duplex>();

/** Bytes that are no HTTP request: a bare answer, and the connection is over. */
function refuse(error: ParserError, socket: Duplex, listener: RequestListener): void {
  // What still comes is not looked at; to close now could take the answer from the client.
  if (refused.has(socket)) return;
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const head = headOf(error);
  refused.add(socket);
  const answer = (): unknown =>
    head
      ? answerUnknownMethod(head, socket as Socket, listener)
      : sayGoodbye(socket, refusals[error.code ?? ''] ?? '400 Bad Request');
  // With a method begins a request: those before it are whole, and will be answered.
  if (error.code === 'HPE_INVALID_METHOD') whenFree(socket as Socket, answer);
  else answer();
}

function sayGoodbye(socket: Duplex, status: string): void {
  refused.add(socket);
  leave(socket, `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`);
}

const never = () => false;

/** Says goodbye to some connections at a request, which is answered yet. */
const leavingAfter =
  (listener: RequestListener, isLast: () => boolean): RequestListener =>
  (incoming, outgoing) => {
    const session = 'stream' in incoming && isLast() ? incoming.stream.session : undefined;
    if (session && !session.destroyed) {
      session.goaway(noError, lastOfAllStreams);
      // What its client sent before it could know is answered too.
      setTimeout(() => session.close(), goodbyeTakes).unref();
    }
    listener(incoming, outgoing);
  };

function makeHttp2(listener: RequestListener): Http2Server {
  const server = http2Module().createServer(
    {
      settings: { maxConcurrentStreams: streamsPerConnection, initialWindowSize: window.stream },
      maxSendHeaderBlockLength: headerBytes,
      maxHeaderListPairs: headerLines,
      maxSessionMemory: sessionMemory,
    },
    listener as never,
  );
  server.on('sessionError', () => {});
  return server;
}
