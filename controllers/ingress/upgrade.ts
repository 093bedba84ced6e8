import {
  type ClientRequest,
  request as call,
  type IncomingMessage,
  type RequestOptions,
  STATUS_CODES,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Way } from '../runtime/pods/pod-network.ts';
import type { Endpoint } from './endpoints.ts';
import { unreachable } from './forward.ts';
import { answeredHeaders, forwardedHeaders } from './headers.ts';

/** Milliseconds for the backend to answer, and of silence after which both ends are let go. */
const limits = { answer: 60_000, silence: 3_600_000 };

/** What a client has asked for, on its connection, and what came behind it already. */
export interface Leaving {
  readonly request: IncomingMessage;
  readonly client: Duplex;
  readonly head: Buffer;
  readonly path: string;
}

/**
 * Hands a request to leave HTTP (a WebSocket, say) to the first of the endpoints that can be reached, and then all that
 * either end says to the other.
 */
export function upgrade(leaving: Leaving, [to, ...others]: readonly Endpoint[], way?: Way): void {
  const { client, head } = leaving;
  if (!to) return void refuseUpgrade(client, 502);
  const backend = callTo(to, leaving, way);
  backend.on('upgrade', (answer, socket, first) => {
    client.write(headOf(answer, ['connection', 'Upgrade', 'upgrade', answer.headers.upgrade ?? '']));
    join(client, socket);
    if (first.length > 0) client.write(first);
    if (head.length > 0) socket.write(head);
  });
  backend.on('response', (answer) => {
    client.write(headOf(answer, ['connection', 'close']));
    answer.pipe(client);
    answer.on('error', () => client.destroy());
  });
  backend.on('timeout', () => backend.destroy(new Error('the backend takes too long')));
  backend.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    if (client.writable) upgrade(leaving, unreachable.has(code) ? others : [], way);
  });
  for (const end of ['error', 'close']) client.on(end, () => backend.destroy());
  backend.end();
}

function callTo({ host, port }: Endpoint, { request, path }: Leaving, way: Way | undefined): ClientRequest {
  const { method, headers } = request;
  return call({
    ...{ host, port, path, method, timeout: limits.answer, setHost: false },
    ...connectionBy(way?.(host, port)),
    headers: [...forwardedHeaders(request), 'connection', 'Upgrade', 'upgrade', headers.upgrade ?? ''],
  });
}

/** A connection that is being made, or else one of its own. */
function connectionBy(connected: ReturnType<Way>): Pick<RequestOptions, 'agent' | 'createConnection'> {
  if (!connected) return { agent: false };
  const createConnection: RequestOptions['createConnection'] = (_, done) => {
    connected.then(
      (socket) => {
        if (socket instanceof Socket) socket.setTimeout(limits.answer);
        done(null, socket);
      },
      done as (error: Error) => void,
    );
    return undefined;
  };
  return { createConnection };
}

/** Answers in the controller's own name, and ends the connection. */
export function refuseUpgrade(client: Duplex, status: number): void {
  if (client.writable)
    client.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}

function headOf(
  { statusCode = 502, statusMessage = '', rawHeaders }: IncomingMessage,
  more: readonly string[],
): string {
  const lines = [...answeredHeaders(rawHeaders), ...more];
  const pairs = lines.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${lines[index + 1]}\r\n`] : []));
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${pairs.join('')}\r\n`;
}

function join(client: Duplex, backend: Duplex & { setTimeout?: unknown }): void {
  client.pipe(backend);
  backend.pipe(client);
  const end = (): void => {
    client.destroy();
    backend.destroy();
  };
  for (const socket of [client, backend] as (Duplex & { setTimeout(time: number, late: () => void): void })[]) {
    socket.setTimeout(limits.silence, end);
    socket.on('error', end);
    socket.on('close', end);
  }
}
