import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { clearTimeout, setTimeout } from 'node:timers';
import {
  type ConnectionOptions,
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type SecureContext,
} from 'node:tls';
import { lazily } from '../base/caches/memo.ts';

// An import of this module would load all that it can offer, a WebSocket client too, and so hold up every start.
const http = process.getBuiltinModule('node:http');

/** Whom a connection trusts and what it shows of itself. Texts are PEM. */
export interface Trust {
  /** Missing: the root certificates of the host. */
  readonly ca?: string;
  readonly insecureSkipVerify?: boolean;
  /** The name to expect in the certificate, if not the host of the URL. */
  readonly serverName?: string;
  readonly certificate?: string;
  readonly key?: string;
}

export interface HttpQuestion {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Where to connect instead of to the host and port of the URL. */
  readonly at?: At;
}

/** An address, and how to connect to it, where that is not done at once from here. */
export interface At {
  readonly host: string;
  readonly port: number;
  readonly connect?: () => Promise<Duplex>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface CallLimits {
  /** For the whole call: waiting for a connection, connecting, sending, and reading the answer. */
  readonly timeoutMs: number;
  /** Of the answer's body. */
  readonly maxBytes: number;
}

/** The time for a call was over. */
export class CallTimeoutError extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`);
  }
}

/** Connections to one host; further calls wait for a free one. */
const connectionsPerHost = 100;
/** Calls under way and waiting; further ones fail at once, so that nothing piles up behind a service that hangs. */
const callsAtOnce = 1000;
const idleConnections = 16;
const idleMs = 60_000;

/** Root certificates of the host (`SSL_CERT_FILE` and `SSL_CERT_DIR` tell where) and of Node, read at first use. */
const systemRoots = lazily(() => [...new Set([...getCACertificates('system'), ...getCACertificates('default')])]);

/** For callers that trust the host's roots and show nothing; it takes a while to make. */
const plainContext = lazily(() => createSecureContext({ ca: systemRoots() }));

function contextOf({ ca, certificate, key, insecureSkipVerify }: Trust): SecureContext {
  const own = { cert: certificate, key };
  if (insecureSkipVerify) return createSecureContext({ ca: [], ...own });
  // What a user names to be trusted is, be it the server's certificate itself.
  if (ca !== undefined) return createSecureContext({ ca, allowPartialTrustChain: true, ...own });
  if (certificate !== undefined) return createSecureContext({ ca: systemRoots(), ...own });
  return plainContext();
}

/** How to make connections that trust so, for as many as there will be. @throws Error what is no certificate or key */
export const tlsOptions = (
  trust: Trust,
): Pick<ConnectionOptions, 'secureContext' | 'rejectUnauthorized' | 'servername'> => ({
  secureContext: contextOf(trust),
  rejectUnauthorized: !trust.insecureSkipVerify,
  ...(trust.serverName && { servername: trust.serverName }),
});

/**
 * Calls remote services over connections that are kept for the next call. Never follows a redirection. A call keeps no process
 * from ending: whoever waits for its answer is there for other reasons, and a service that hangs must not hold up the end.
 */
export class HttpCaller {
  readonly #trust: Trust;
  #https: https.Agent | undefined;
  #http: Agent | undefined;
  #underWay = 0;
  #retired = false;

  constructor(trust: Trust = {}) {
    this.#trust = trust;
  }

  /**
   * Sends a question and reads the whole answer, whatever its status. Connections that turn out to have been closed
   * while they were idle are replaced by a new one.
   * @throws CallTimeoutError, or the Error that node gives for a connection or its certificate
   */
  async call(question: HttpQuestion, limits: CallLimits): Promise<HttpAnswer> {
    if (this.#underWay >= callsAtOnce) throw new Error(`more than ${callsAtOnce} calls at once`);
    this.#underWay++;
    const deadline = performance.now() + limits.timeoutMs;
    try {
      return await this.#sendOverLive(question, limits, deadline);
    } finally {
      this.#underWay--;
      if (this.#retired && this.#underWay === 0) this.close();
    }
  }

  /** Closes the connections once the calls under way are over. */
  retire(): void {
    this.#retired = true;
    if (this.#underWay === 0) this.close();
  }

  /** Ends every connection; calls under way fail. */
  close(): void {
    this.#https?.destroy();
    this.#http?.destroy();
  }

  /** Those that idled longest were closed together: each that turns out so is gone, until one lives or a new one is made. */
  async #sendOverLive(question: HttpQuestion, limits: CallLimits, deadline: number): Promise<HttpAnswer> {
    for (;;) {
      try {
        return await this.#send(question, limits, deadline);
      } catch (error) {
        if (!(error instanceof StaleConnectionError)) throw error;
      }
    }
  }

  #send({ method, url, headers, body, at }: HttpQuestion, limits: CallLimits, deadline: number): Promise<HttpAnswer> {
    const secure = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request(url, {
        method,
        headers: at ? { host: url.host, ...headers } : headers,
        agent: secure ? this.#secureAgent() : this.#plainAgent(),
        ...(at && { host: at.host, hostname: at.host, port: at.port, connect: at.connect }),
      });
      let answered = false;
      const timer = setTimeout(
        () => request.destroy(new CallTimeoutError(limits.timeoutMs)),
        Math.max(0, deadline - performance.now()),
      ).unref();
      request.on('socket', (socket) => void socket.unref());
      request.on('close', () => clearTimeout(timer));
      request.on('error', (error: NodeJS.ErrnoException) => {
        const stale = request.reusedSocket && !answered && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        reject(stale ? new StaleConnectionError() : error);
      });
      request.on('response', (response) => {
        answered = true;
        readAnswer(response, limits.maxBytes).then(resolve, (error) => {
          reject(error);
          request.destroy();
        });
      });
      request.end(body);
    });
  }

  #secureAgent(): https.Agent {
    this.#https ??= new ConnectedAgent({ ...pooled, ...tlsOptions(this.#trust) });
    return this.#https;
  }

  #plainAgent(): Agent {
    this.#http ??= new http.Agent(pooled);
    return this.#http;
  }
}

/** Callers for who may trust others, or show something else, with the next call. */
export class RenewedCaller {
  #trust = '';
  #caller: HttpCaller | undefined;

  /** The one of before while nothing changed, or what there is now cannot be used: one of two files may be on its way yet. */
  for(trust: Trust): HttpCaller {
    const text = JSON.stringify(trust);
    if (this.#caller && (text === this.#trust || !isUsable(trust))) return this.#caller;
    this.#caller?.retire();
    this.#caller = new HttpCaller(trust);
    this.#trust = text;
    return this.#caller;
  }

  /** Closes the connections once the calls under way are over. */
  retire(): void {
    this.#caller?.retire();
  }

  /** Ends every connection; calls under way fail. */
  close(): void {
    this.#caller?.close();
  }
}

function isUsable(trust: Trust): boolean {
  try {
    contextOf(trust);
    return true;
  } catch {
    return false;
  }
}

/** For requests that may say how to connect. */
class ConnectedAgent extends https.Agent {
  override createConnection(options: AgentOptions, done: Connected) {
    const { connect, ...rest } = options;
    if (!connect) return super.createConnection(rest, done);
    connect().then((socket) => done(null, connectTls({ ...(rest as object), socket })), done as (error: Error) => void);
    return undefined;
  }
}

type AgentOptions = Parameters<https.Agent['createConnection']>[0] & Pick<At, 'connect'>;
type Connected = (error: Error | null, stream?: Duplex) => void;

const pooled = {
  keepAlive: true,
  noDelay: true,
  maxSockets: connectionsPerHost,
  maxFreeSockets: idleConnections,
  timeout: idleMs,
  scheduling: 'lifo',
} as const;

/** The other side had closed the idle connection that a question was sent over. */
class StaleConnectionError extends Error {}

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const tooLarge = () => new Error(`the answer exceeds ${maxBytes} bytes`);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  if (!response.complete) throw new Error('the answer was cut off');
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}
