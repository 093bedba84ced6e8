import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { Refusal } from '../container-runtime.ts';
import { agreeOn } from './protocols.ts';

/** A request that wants its connection to become another, and that connection. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What came behind the request already. */
  readonly head: Buffer;
}

/** Bytes of a WebSocket message that are taken. */
const largestMessage = 4 * 1024 * 1024;

export const wantsSpdy = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'spdy/3.1';

/** Agrees to SPDY. @throws Refusal when no protocol suits both */
export function acceptSpdy({ request, socket, head }: Upgrade, ours: readonly string[]): string {
  const offered = request.headers['x-stream-protocol-version'];
  const protocol = agreeOn(offered, ours);
  if (!protocol) throw new Refusal(403, `none of the protocols is known here: ${[offered].flat().join(', ')}`);
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n' +
      `X-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
  if (head.length > 0) socket.unshift(head);
  return protocol;
}

/** Agrees to a WebSocket; without any protocol it is the last of ours. @throws Refusal when no protocol suits both */
export async function acceptWebSocket(
  { request, socket, head }: Upgrade,
  ours: readonly string[],
): Promise<{ readonly protocol: string; readonly webSocket: WebSocket }> {
  const offered = request.headers['sec-websocket-protocol'];
  const protocol = offered ? agreeOn(offered, ours) : (ours.at(-1) ?? '');
  if (protocol === undefined) throw new Refusal(400, `none of the protocols is known here: ${offered}`);
  // Loaded only here: most agents are never asked.
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    handleProtocols: () => (offered ? protocol : false),
  });
  return new Promise((resolve) => {
    server.handleUpgrade(request, socket, head, (webSocket) => resolve({ protocol, webSocket }));
  });
}

/** Ends a connection that was not taken over. */
export function refuse(socket: Duplex, code: number, message: string): void {
  const length = Buffer.byteLength(message);
  socket.end(
    `HTTP/1.1 ${code} Refused\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}\r\n` +
      `Connection: close\r\n\r\n${message}`,
  );
}
