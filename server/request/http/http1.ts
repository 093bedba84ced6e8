import type { IncomingMessage, ServerResponse as Response, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Upgrade } from '../exchange.ts';
import { leave, whenFree } from './free-socket.ts';
import { maxHeaderBytes, maxHeaderLines, type RequestListener } from './request-listener.ts';
import { answerUnknownMethod, readHead } from './unknown-method.ts';

// An import of this module would load all that it can offer, a WebSocket client too, and so hold up every start.
const { createServer, METHODS, ServerResponse } = process.getBuiltinModule('node:http');

/** Milliseconds that a connection has for the head of a request, for all of it, and to rest before the next one. */
const headersTimeout = 60_000;
const requestTimeout = 300_000;
const keepAliveTimeout = 180_000;

/** Answers requests over HTTP/1.1 on the connections that it is given. */
export function makeHttp1(listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      noDelay: true,
      shouldUpgradeCallback: wantsStreams,
    },
    listener as (request: IncomingMessage, response: Response) => void,
  );
  server.maxHeadersCount = maxHeaderLines;
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
