import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import { statusAnswer } from '../base/status-error.ts';
import type { Incoming, Outgoing } from '../request/exchange.ts';
import type { RequestFault } from './fault.ts';

type Failure = Extract<RequestFault, { fault: 'fail' }>;

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Answers a Status instead of doing anything. */
export function failWith(failure: Failure, incoming: Incoming, outgoing: Outgoing): void {
  const { code, message = 'a fault that was asked for', retryAfter } = failure;
  const reason = failure.reason ?? reasons[code];
  const details = retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter };
  const body = Buffer.from(JSON.stringify(statusAnswer(code, message, reason, details).status));
  // What the client still sends is read and forgotten, so that the connection can be used again.
  incoming.resume();
  (outgoing as ServerResponse).writeHead(code, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  });
  outgoing.end(body);
}

/** RFC 9113, section 7. */
const internalError = 2;

const streamOf = (outgoing: Outgoing) => ('stream' in outgoing ? (outgoing as Http2ServerResponse).stream : undefined);

/** Whether the client has gone away already. */
export const isGone = (outgoing: Outgoing): boolean => streamOf(outgoing)?.destroyed ?? outgoing.destroyed;

/** Ends the connection in the middle; over HTTP/2 the stream, since others share the connection. */
export function cut(outgoing: Outgoing): void {
  const stream = streamOf(outgoing);
  if (stream) stream.close(internalError);
  else (outgoing as ServerResponse).socket?.destroy();
}

/** Cuts the connection as soon as the answer would go out. */
export function loseAnswer(outgoing: Outgoing): void {
  const lose = () => {
    cut(outgoing);
    return true;
  };
  Object.assign(outgoing, {
    writeHead: () => outgoing,
    flushHeaders: lose,
    write: lose,
    end: () => {
      lose();
      return outgoing;
    },
  });
}

/** Lets the request be answered, and the client not come back over the same connection. */
export function sendAway(outgoing: Outgoing): void {
  const stream = streamOf(outgoing);
  if (stream) stream.session?.close();
  else outgoing.setHeader('connection', 'close');
}

/** Ends our side of the connection in the middle, and leaves the other open. */
export function halfClose(outgoing: Outgoing): void {
  const stream = streamOf(outgoing);
  if (stream) stream.end();
  else (outgoing as ServerResponse).socket?.end();
}
