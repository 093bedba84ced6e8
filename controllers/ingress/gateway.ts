import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import type { Clock } from '../runtime/clock.ts';
import type { Way } from '../runtime/pods/pod-network.ts';
import { Backends } from './backends.ts';
import { type CertificateNames, certificateOf } from './certificates.ts';
import type { Endpoint } from './endpoints.ts';
import { attempts, forward, hasBody, refuse } from './forward.ts';
import { type Backend, noRoutes, type Routes, routeOf } from './plan.ts';
import { refuseUpgrade, upgrade } from './upgrade.ts';

/** Where a gateway listens; port 0 is any free one. */
export interface GatewayOptions {
  readonly address: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly clock: Clock;
  /** To backends that are not simply connected to. */
  readonly way?: Way;
}

/** PEM. */
interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Connections that clients may hold at once; also the limit of what may wait for backends. */
const atMost = 10_000;
/** Bytes of an answer that may wait for a slow client. To hold a backend back costs as much as to forward so many. */
const ahead = 128 * 1024;
/** Milliseconds a client may take for the head of a request, and that a connection may be silent. */
const limits = { head: 60_000, silence: 600_000 };

/**
 * What stands between clients and backends. Routes, endpoints and certificates are replaced as a whole; a request keeps
 * those that it began with.
 */
export class Gateway {
  readonly backends: Backends;
  readonly #http: http.Server;
  readonly #https: https.Server;
  readonly #agent: Agent;
  readonly #contexts = new Map<string, { readonly pair: KeyPair; readonly context: SecureContext }>();
  readonly #options: GatewayOptions;
  #routes: Routes = noRoutes;
  #certificates: CertificateNames = new Map();

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.backends = new Backends(options.clock);
    const connect = connectorFor(options.way);
    this.#agent = new Agent({ connections: atMost, pipelining: 1, allowH2: false, connect });
    const limited = { headersTimeout: limits.head, requestTimeout: 0, keepAliveTimeout: 65_000, highWaterMark: ahead };
    const shared = { ...limited, shouldUpgradeCallback: mayLeaveHttp };
    this.#http = http.createServer(shared);
    const byName = (host: string, take: (error: Error | null, context?: SecureContext) => void): void =>
      take(null, this.#contextFor(host));
    this.#https = https.createServer({ ...shared, SNICallback: byName, ALPNProtocols: ['http/1.1'] });
    for (const server of [this.#http, this.#https]) {
      server.maxConnections = atMost;
      server.setTimeout(limits.silence);
      server.on('request', (request, response) => this.#answer(request, response));
      server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
      server.on('clientError', (_, socket: Socket) => refuseUpgrade(socket, 400));
    }
  }

  /** Begins to listen. @throws Error when a port is taken */
  async open(): Promise<void> {
    const { address, httpPort, httpsPort } = this.#options;
    await listening(this.#http, address, httpPort);
    await listening(this.#https, address, httpsPort).catch((error: unknown) => {
      this.#http.close();
      throw error;
    });
  }

  get ports(): { readonly httpPort: number; readonly httpsPort: number } {
    const of = (server: http.Server): number => (server.address() as AddressInfo).port;
    return { httpPort: of(this.#http), httpsPort: of(this.#https) };
  }

  route(routes: Routes, certificates: CertificateNames): void {
    this.#routes = routes;
    this.#certificates = certificates;
    this.backends.routed();
    this.#showDefault();
  }

  /** Takes a certificate with its key, both PEM, or forgets it. @param secret key of its Secret @throws Error when they are none */
  certify(secret: string, pair: KeyPair | undefined): void {
    if (pair) this.#contexts.set(secret, { pair, context: createSecureContext(pair) });
    else this.#contexts.delete(secret);
    this.#showDefault();
  }

  /** Takes no new connections; what runs may end. */
  close(): void {
    for (const server of [this.#http, this.#https]) {
      server.close();
      server.closeIdleConnections();
    }
    this.backends.close();
  }

  /** Ends everything at once. */
  async destroy(): Promise<void> {
    this.close();
    for (const server of [this.#http, this.#https]) server.closeAllConnections();
    await this.#agent.destroy();
  }

  #contextFor(host: string): SecureContext | undefined {
    const secret = certificateOf(this.#certificates, host.toLowerCase());
    return secret === undefined ? undefined : this.#contexts.get(secret)?.context;
  }

  /** Who does not say whom it wants gets what stands for every host; without one it gets no connection. */
  #showDefault(): void {
    this.#https.setSecureContext(this.#contexts.get(certificateOf(this.#certificates, '') ?? '')?.pair ?? {});
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const target = targetOf(request);
    const backend = target && routeOf(this.#routes, target.host, target.pathname);
    if (!target || !backend) refuse(response, target ? 404 : 400);
    else {
      const endpoints = this.backends.inTurn(backend);
      if (endpoints.length > 0) this.#forward(request, response, target, endpoints);
      else void this.#answerLate(request, response, target, backend);
    }
  }

  async #answerLate(...[request, response, target, backend]: [...Call, Target, Backend]): Promise<void> {
    const endpoints = await this.backends.awaited(backend);
    if (endpoints.length > 0) this.#forward(request, response, target, endpoints);
    else refuse(response, 503);
  }

  #forward(...[request, response, { path }, endpoints]: [...Call, Target, readonly Endpoint[]]): void {
    forward(request, response, path, { endpoints, dispatcher: this.#agent });
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const target = targetOf(request);
    const backend = target && routeOf(this.#routes, target.host, target.pathname);
    if (!target || !backend) return refuseUpgrade(socket, target ? 404 : 400);
    const now = this.backends.inTurn(backend);
    const endpoints = now.length > 0 ? now : await this.backends.awaited(backend);
    if (endpoints.length === 0) return refuseUpgrade(socket, 503);
    upgrade({ request, client: socket, head, path: target.path }, endpoints.slice(0, attempts), this.#options.way);
  }
}

type Call = [request: IncomingMessage, response: ServerResponse];

/** What a request asks for. */
interface Target {
  /** In lower case, without a port. */
  readonly host: string;
  readonly pathname: string;
  /** With its query. */
  readonly path: string;
}

/** Whoever offers HTTP/2 beside a request gets its answer in HTTP/1.1, and a body is for the request that it came with. */
const mayLeaveHttp = ({ headers }: IncomingMessage): boolean =>
  !hasBody(headers) && !/\bh2c\b/i.test(headers.upgrade ?? '');

/** Undefined when it names no path. A whole URL counts before the header. */
function targetOf({ url = '', headers }: IncomingMessage): Target | undefined {
  if (!url.startsWith('/')) {
    const whole = URL.parse(url);
    if (whole?.protocol !== 'http:' && whole?.protocol !== 'https:') return undefined;
    return { host: whole.hostname, pathname: whole.pathname, path: whole.pathname + whole.search };
  }
  const query = url.indexOf('?');
  return { host: hostOf(headers.host ?? ''), pathname: query < 0 ? url : url.slice(0, query), path: url };
}

function hostOf(header: string): string {
  const colon = header.startsWith('[') ? header.indexOf(':', header.indexOf(']')) : header.indexOf(':');
  const host = (colon < 0 ? header : header.slice(0, colon)).toLowerCase();
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function connectorFor(way: Way | undefined): buildConnector.connector {
  const simply = buildConnector({ timeout: 5_000, allowH2: false });
  return (options, done) => {
    // A URL does not say the usual port.
    const connected = way?.(options.hostname, Number(options.port || 80));
    if (!connected) return simply(options, done);
    connected.then(
      (socket) => done(null, socket as Socket),
      (error: Error) => done(error, null),
    );
  };
}

async function listening(server: http.Server, address: string, port: number): Promise<void> {
  server.listen(port, address);
  await once(server, 'listening');
}
