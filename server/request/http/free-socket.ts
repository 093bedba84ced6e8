import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers';

/** Node keeps the answer that is under way with its connection, which bears no second one. */
interface Answering {
  readonly _httpMessage?: ServerResponse | null;
}

/** Milliseconds in which a client that was told the last thing may read it. */
const farewell = 2000;

/**
 * Ends a connection on which nothing more is read, and which therefore would not notice that its client has gone.
 * @param last what is still to be said
 */
export function leave(socket: Duplex, last = ''): void {
  socket.end(last);
  setTimeout(() => socket.destroy(), farewell).unref();
}

/** Acts once all that was asked before on a connection is answered, unless it ends with that. */
export function whenFree(socket: Socket & Answering, act: () => void): void {
  const underWay = socket._httpMessage;
  if (underWay) underWay.once('close', () => whenFree(socket, act));
  else if (socket.writable) act();
  else leave(socket);
}
