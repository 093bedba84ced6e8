import type { Http2Server, Http2Session, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';
import { endOn } from '../exchange.ts';
import type { LostSessions } from './lost-sessions.ts';
import { maxHeaderBytes, maxHeaderLines, type RequestListener } from './request-listener.ts';

/** Loaded for the first client that speaks it: it takes a tenth of the time of a start. */
const http2Module = () => process.getBuiltinModule('node:http2');

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

/** Answers requests over HTTP/2 on the connections that it is given; after one of which `isLast` says so a connection ends. */
export function makeHttp2(listener: RequestListener, isLast: () => boolean): Http2Server {
  const server = http2Module().createServer(
    {
      settings: { maxConcurrentStreams: streamsPerConnection, initialWindowSize: window.stream },
      maxSendHeaderBlockLength: maxHeaderBytes,
      maxHeaderListPairs: maxHeaderLines,
      maxSessionMemory: sessionMemory,
    },
    leavingAfter(listener, isLast) as never,
  );
  server.on('sessionError', () => {});
  return server;
}

/** Says that the end of a connection is near; which of its streams is the last is said when it is known. */
export function announceEnd(session: Http2Session): void {
  // One that was destroyed is known until it says so.
  if (!session.destroyed) session.goaway(noError, lastOfAllStreams);
}

/** Says goodbye to some connections at a request, which is answered yet. */
const leavingAfter =
  (listener: RequestListener, isLast: () => boolean): RequestListener =>
  (incoming, outgoing) => {
    const session = 'stream' in incoming && isLast() ? incoming.stream.session : undefined;
    if (session && !session.destroyed) {
      announceEnd(session);
      // What its client sent before it could know is answered too.
      setTimeout(() => session.close(), goodbyeTakes).unref();
    }
    listener(incoming, outgoing);
  };

/** What is open: each is known until it ends. */
export interface KeptSessions {
  readonly sessions: Set<ServerHttp2Session>;
  readonly lost: LostSessions;
}

/** Knows a session until it ends. One whose connection is lost while it ends may say nothing for ever, and so may its TLS socket. */
export function keepSession(
  session: ServerHttp2Session,
  raw: Socket | undefined,
  { sessions, lost }: KeptSessions,
): void {
  sessions.add(session);
  session.setLocalWindowSize(window.connection);
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
