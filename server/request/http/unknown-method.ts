import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Incoming, Outgoing } from '../exchange.ts';
import { leave } from './free-socket.ts';

const head = /^([-!#$%&'*+.^_`|~\w]{1,100}) (\S+) HTTP\/1\.([01])\r\n([\s\S]*?)\r\n\r\n/;

interface Head {
  readonly method: string;
  readonly url: string;
  /** Names and values by turns. */
  readonly headers: readonly string[];
}

/** The head of a request whose method the parser does not know; undefined when it is no request. */
export function readHead(packet: Buffer): Head | undefined {
  const [, method = '', url = '', , lines = ''] = head.exec(packet.toString('latin1')) ?? [];
  if (!method) return undefined;
  const headers: string[] = [];
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) return undefined;
    headers.push(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { method, url, headers };
}

/**
 * A request with a method that the parser does not know is a request all the same: it is answered like any other, and
 * then the connection is over. What its body holds is not looked at.
 */
export function answerUnknownMethod(
  { method, url, headers }: Head,
  socket: Socket,
  listener: (incoming: Incoming, outgoing: Outgoing) => void,
): ServerResponse {
  const http = process.getBuiltinModule('node:http');
  const incoming: IncomingMessage = new http.IncomingMessage(socket);
  Object.assign(incoming, {
    method,
    url,
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    complete: true,
  });
  incoming.rawHeaders = [...headers];
  incoming.push(null);
  const outgoing = new http.ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.once('finish', () => leave(socket));
  listener(incoming, outgoing);
  return outgoing;
}
