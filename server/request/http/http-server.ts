import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTls, type TLSSocket, type TlsOptions, type Server as TlsServer } from 'node:tls';
import { lazily } from '../../base/caches/memo.ts';
import { makeHttp1 } from './http1.ts';
import { announceEnd, type KeptSessions, keepSession, makeHttp2 } from './http2.ts';
import { LostSessions } from './lost-sessions.ts';
import type { RequestListener } from './request-listener.ts';
import { type NamedPairs, type Pair, ShownCertificates } from './shown-certificates.ts';

/** Milliseconds. */
const handshakeTimeout = 30_000;

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
    makeHttp2(listener, isLast).on('session', (session) =>
      keepSession(session, kept.sockets.get(peerOf(session.socket)), kept),
    ),
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
    for (const session of sessions) announceEnd(session);
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
interface Kept extends KeptSessions {
  readonly sockets: Sockets;
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

const never = () => false;
