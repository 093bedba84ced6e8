import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that keeps no rule at all. */
export interface DeadServer {
  readonly name: string;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

async function refusing(): Promise<DeadServer> {
  const server = createServer();
  const port = await listen(server);
  await close(server);
  return { name: 'refuses connections', url: `http://127.0.0.1:${port}`, stop: async () => undefined };
}

async function answering(name: string, status: number, body: string): Promise<DeadServer> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  const port = await listen(server);
  return { name, url: `http://127.0.0.1:${port}`, stop: () => close(server) };
}

const missing = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: 'NotFound',
  code: 404,
  details: {},
};

/** The three servers under which nothing may pass. */
export const startDeadServers = (): Promise<DeadServer[]> =>
  Promise.all([
    refusing(),
    answering('answers 200 {} to everything', 200, '{}\n'),
    answering('answers 404 to everything', 404, JSON.stringify(missing)),
  ]);
