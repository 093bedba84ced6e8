import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { KeyPair } from './certificates.ts';

/** Answers one request; its body has been read. */
export type Answering = (request: IncomingMessage, body: string, response: ServerResponse) => void;

export interface Service {
  readonly stop: () => Promise<void>;
}

/**
 * Milliseconds that a connection may rest: longer than callers keep theirs. One that ends on this side just as the next
 * request comes is a call that fails.
 */
export const rest = 120_000;

/** More of a body is not read. */
const mostBytes = 1 << 20;

/** Serves HTTPS on this machine. @throws Error when the port is taken */
export async function serveHttps(port: number, { certificate, key }: KeyPair, answering: Answering): Promise<Service> {
  const server = createServer({ cert: certificate, key, keepAliveTimeout: rest }, (request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => answering(request, Buffer.concat(chunks).toString(), response));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
