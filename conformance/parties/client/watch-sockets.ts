import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Lasting, Reply, Stream } from './replies.ts';

/** An upgrade that a client asks for. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Answers who watches over a WebSocket, which API servers serve beside plain streams: each event is a message. */
export class WatchSockets {
  readonly #server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 1 << 16 });

  /** @param note told of all that is sent */
  answer({ request, socket, head }: Upgrade, given: Reply | Lasting, note: (text: string | Buffer) => void): void {
    socket.on('error', () => undefined);
    if ('open' in given)
      this.#server.handleUpgrade(request, socket, head, (client) => {
        client.on('error', () => undefined);
        given.open(streamOver(client, note));
      });
    else refuse(socket, given, note);
  }
}

function refuse(socket: Duplex, { status = 200, headers, body }: Reply, note: (text: string | Buffer) => void): void {
  note(body);
  const lines = Object.entries({
    'content-type': 'application/json',
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  // Between the status and the headers stands a reason that may be empty.
  socket.write(`HTTP/1.1 ${status} \r\n${lines.join('\r\n')}\r\n\r\n`);
  socket.end(body);
}

const lineEnd = 0x0a;

/** Each line becomes a message; of a line that never ends nothing is sent. */
function streamOver(client: WebSocket, note: (text: string | Buffer) => void): Stream {
  let rest = Buffer.alloc(0);
  return {
    write(text) {
      note(text);
      rest = Buffer.concat([rest, Buffer.from(text)]);
      for (let end = rest.indexOf(lineEnd); end >= 0; end = rest.indexOf(lineEnd)) {
        client.send(rest.subarray(0, end), { binary: false });
        rest = rest.subarray(end + 1);
      }
    },
    end: () => client.close(1000),
    onClose: (callback) => void client.once('close', callback),
  };
}
