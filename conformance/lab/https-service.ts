import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from './certificates.ts';

/** Answers one request; its body has been read. */
export type Answering = (request: IncomingMessage, body: string, response: ServerResponse) => void;

export interface Service {
  readonly stop: () => Promise<void>;
}

interface Served extends Service {
  readonly port: number;
}

/**
 * Milliseconds that a connection may rest: longer than callers keep theirs. One that ends on this side just as the next
 * request comes is a call that fails.
 */
export const rest = 120_000;

interface Manner {
  /** The name or address at which callers reach this machine. */
  readonly host?: string;
  /** More of a body is not read. */
  readonly mostBytes?: number;
}

/** Where to listen for those who reach this machine by a name or an address; undefined: everywhere. */
export const listeningFor = (host: string): string | undefined =>
  ['127.0.0.1', 'localhost'].includes(host) ? '127.0.0.1' : undefined;

/** Serves HTTPS on this machine. @param port 0: any @throws Error when the port is taken */
export async function serveHttps(
  port: number,
  { certificate, key }: KeyPair,
  answering: Answering,
  { host = '127.0.0.1', mostBytes = 1 << 20 }: Manner = {},
): Promise<Served> {
  const server = createServer({ cert: certificate, key, keepAliveTimeout: rest }, (request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => guarded(response, () => answering(request, Buffer.concat(chunks).toString(), response)));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, listeningFor(host), resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What nobody can make sense of is answered as such: who is judged must not end who judges. */
export function guarded(response: ServerResponse, answer: () => void): void {
  try {
    answer();
  } catch {
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
