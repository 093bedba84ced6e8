import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What a backend saw of a request, which it answers with. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A server of the judge's own behind the controller. */
export interface Backend {
  /** Every answer says it in the header `judged-backend`. */
  readonly name: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

export const backendHeader = 'judged-backend';

/** The path at which a backend writes a line, and the next one only when it has been told to go on. */
export const streamPath = 'stream';
export const goOnPath = 'go-on';

/** The path at which a backend answers what careless proxies change on its way. */
export const oddPath = 'odd';
export const oddAnswer = {
  status: 307,
  headers: { location: '/elsewhere?a=1', 'set-cookie': ['a=1; Path=/', 'b=2'], 'x-judged': 'as it is' },
  body: 'moved: ü€😀',
};

/**
 * Listens at all addresses of this machine, at the port if one is given. It answers what it saw; it takes upgrades to
 * `echo` and sends back what it gets.
 */
export async function startBackend(name: string, port = 0): Promise<Backend> {
  const waiting = new Set<ServerResponse>();
  const upgraded = new Set<Socket>();
  const server = http.createServer((request, response) => {
    response.setHeader(backendHeader, name);
    void answer(request, response, waiting).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 30_000;
  server.on('upgrade', (_, socket: Socket) => {
    upgraded.add(socket);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\n${backendHeader}: ${name}\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n`,
    );
    socket.on('error', () => socket.destroy());
    socket.pipe(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve());
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
    });
  return { name, port: (server.address() as AddressInfo).port, close };
}

async function answer(request: IncomingMessage, response: ServerResponse, waiting: Set<ServerResponse>): Promise<void> {
  const { method = '', url = '', headers } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (url.endsWith(streamPath)) {
    waiting.add(response);
    response.write('first\n');
    return;
  }
  if (url.endsWith(oddPath)) return void response.writeHead(oddAnswer.status, oddAnswer.headers).end(oddAnswer.body);
  if (url.endsWith(goOnPath)) for (const one of waiting) one.end('second\n');
  const seen: Seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(seen));
}
