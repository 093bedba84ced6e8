import { X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { KeyPair } from '../options.ts';
import { messageOf } from '../runtime/api-error.ts';
import type { Log } from '../runtime/log.ts';
import { Refusal } from './container-runtime.ts';
import { refuse, type Upgrade } from './streaming/upgrades.ts';

/** What is done with requests that were let in. Handlers may throw a Refusal. */
export interface Handlers {
  request(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(upgrade: Upgrade): Promise<void>;
  /** A tunnel to `host:port`. */
  connect(target: string): Promise<Duplex>;
}

export interface EndpointOptions {
  /** PEM: certificates that are among these, or signed by one of them, are let in; no others. */
  readonly clientAuthority: string;
  readonly serving: KeyPair;
  readonly handlers: Handlers;
  readonly log: Log;
  /** Aborted, it closes and ends all connections. */
  readonly signal: AbortSignal;
}

/** Where nodes listen: for this machine alone, since what they do they do as the user who runs them. */
const address = '127.0.0.1';
/** How long a connection may say nothing, in milliseconds. */
const silence = 4 * 3_600_000;

/** Takes a free port of this machine for one node's agent. Resolves with the port. */
export async function openEndpoint({ serving, signal, ...parts }: EndpointOptions): Promise<number> {
  const server = createServer({
    cert: serving.certificate,
    key: serving.key,
    requestCert: true,
    rejectUnauthorized: false,
  });
  const sockets = socketsOf(server);
  serveTrusted(server, parts);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, address, resolve);
  });
  signal.addEventListener('abort', () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** The connections that are open now; those that say nothing for too long are closed. */
function socketsOf(server: Server): ReadonlySet<Duplex> {
  const sockets = new Set<Duplex>();
  server.on('secureConnection', (socket: TLSSocket) => {
    sockets.add(socket);
    socket.setTimeout(silence, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

type Serving = Pick<EndpointOptions, 'clientAuthority' | 'handlers' | 'log'>;

/** Hands what trusted clients ask for to the handlers, and refuses everybody else. */
function serveTrusted(server: Server, { clientAuthority, handlers, log }: Serving): void {
  const isTrusted = trusting(clientAuthority);
  const work = async (request: IncomingMessage, handle: () => Promise<void>): Promise<void> => {
    if (!isTrusted(request)) throw new Refusal(401, 'Unauthorized');
    await handle();
  };
  const refused = (socket: Duplex) => (error: unknown) => refuse(socket, codeOf(error, log), messageOf(error));
  server.on('request', (request, response) => {
    work(request, () => handlers.request(request, response)).catch((error: unknown) => answer(response, error, log));
  });
  server.on('upgrade', (request, socket, head) => {
    work(request, () => handlers.upgrade({ request, socket, head })).catch(refused(socket));
  });
  server.on('connect', (request, socket, head) => {
    work(request, () => tunnel(handlers, request.url ?? '', socket, head)).catch(refused(socket));
  });
}

/** Whoever shows such a certificate has its key: the handshake has proven that. */
function trusting(pem: string): (request: IncomingMessage) => boolean {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const authorities = blocks.map((block) => new X509Certificate(block));
  return ({ socket }) => {
    const shown = (socket as TLSSocket).getPeerX509Certificate();
    const now = Date.now();
    if (!shown || now < Date.parse(shown.validFrom) || now > Date.parse(shown.validTo)) return false;
    return authorities.some(
      (authority) =>
        authority.fingerprint256 === shown.fingerprint256 ||
        (authority.ca && shown.checkIssued(authority) && shown.verify(authority.publicKey)),
    );
  };
}

async function tunnel(handlers: Handlers, target: string, socket: Duplex, head: Buffer): Promise<void> {
  const other = await handlers.connect(target);
  socket.write('HTTP/1.1 200 Connected\r\n\r\n');
  if (head.length > 0) other.write(head);
  const end = () => {
    socket.destroy();
    other.destroy();
  };
  for (const each of [socket, other]) each.once('error', end).once('close', end);
  socket.pipe(other).pipe(socket);
}

function codeOf(error: unknown, log: Log): number {
  if (error instanceof Refusal) return error.code;
  log.error('node endpoint', error);
  return 500;
}

function answer(response: ServerResponse, error: unknown, log: Log): void {
  const code = codeOf(error, log);
  if (response.headersSent) return void response.destroy();
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(messageOf(error));
}
