import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Node keeps the answer that is under way with its connection, which bears no second one. */
interface Answering {
  readonly _httpMessage?: ServerResponse | null;
}

/** Acts once all that was asked before on a connection is answered, unless it ends with that. */
export function whenFree(socket: Socket & Answering, act: () => void): void {
  const underWay = socket._httpMessage;
  if (underWay) underWay.once('close', () => whenFree(socket, act));
  else if (socket.writable) act();
}
