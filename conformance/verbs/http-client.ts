import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { Agent, type Dispatcher, request as undiciRequest } from 'undici';
import type { Target } from '../target/target.ts';
import { Breach } from './breach.ts';
import type { Answer, Client, Json, OpenAnswer, Query, SendOptions } from './client.ts';
import { type Exchange, excerpt, RuleOver, shorten } from './exchange.ts';
import { trustOf } from './trust.ts';
import { askForSocket } from './web-socket.ts';

/** Milliseconds that a connection rests before it is closed: they were many only for a moment. */
const rest = 4_000;

/** Connections to one target, shared by all clients of a process. Its certificates are read once, not for each of them. */
export function connect(target: Target): Agent {
  return new Agent({
    connections: 256,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: rest,
    // What a server offers is longer, and each connection takes memory on both sides.
    keepAliveMaxTimeout: rest,
    connect: {
      ...(target.url.startsWith('https:') ? identityOf(target) : {}),
      ...(target.serverName ? { servername: target.serverName } : {}),
      rejectUnauthorized: !target.insecure,
      // A busy server lets connections wait; each request has a limit of its own.
      timeout: 30_000,
    },
  });
}

/** Certificates that cannot be read are left as they are: the first connection tells of them. */
function identityOf({
  certificateAuthority,
  clientCertificate,
  clientKey = '',
  insecure,
}: Target): SecureContextOptions & { secureContext?: SecureContext } {
  const identity = {
    ...(insecure ? {} : trustOf(certificateAuthority)),
    ...(clientCertificate ? { cert: clientCertificate, key: clientKey } : {}),
  };
  try {
    return { secureContext: createSecureContext(identity) };
  } catch {
    return identity;
  }
}

export function queryText(query: Query | string | undefined): string {
  if (query === undefined) return '';
  if (typeof query === 'string') return query === '' ? '' : `?${query}`;
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) => [value].flat().map((one): [string, string] => [key, String(one)]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function flatten(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

function authorization(target: Target): Record<string, string> {
  if (target.token) return { authorization: `Bearer ${target.token}` };
  if (target.username === undefined) return {};
  const pair = Buffer.from(`${target.username}:${target.password ?? ''}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}

function bodyOf(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}

/** Tells a proxy of ours with which client certificate to go on; the target never sees it. */
export const certificateHeader = 'touchstone-certificate';

/** What a proxy of ours has to be told, as it ends the connection that would show it. */
function passedOn(target: Target, signed: boolean): Record<string, string> {
  if (!target.proxied) return {};
  if (!signed) return { [certificateHeader]: 'none' };
  const { clientCertificate: certificate, clientKey: key } = target;
  if (!certificate || !key) return {};
  return { [certificateHeader]: Buffer.from(JSON.stringify({ certificate, key })).toString('base64') };
}

/** Connections that show the client certificate of the target, and others that show none. */
export interface Agents {
  readonly own: Dispatcher;
  readonly anonymous: Dispatcher;
}

export interface ClientOptions {
  readonly target: Target;
  readonly agents: Agents;
  readonly userAgent: string;
  /** Added to every request, for example to act as another user. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly record: (exchange: Exchange) => void;
  /** Milliseconds a request may take. */
  readonly limit: number;
}

interface Sent {
  readonly exchange: Exchange;
  readonly response: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { readonly body: Readable };
  readonly started: number;
}

const unanswered = (
  method: string,
  url: string,
  requestHeaders: Exchange['requestHeaders'],
  body: string | Buffer | undefined,
): Exchange => ({
  method,
  url,
  requestHeaders,
  ...(body === undefined ? {} : { requestBody: shorten(body.toString()) }),
  status: 0,
  answerHeaders: {},
  answerBody: '',
  milliseconds: 0,
});

/** What the connection says of a body by itself. */
const framing = ({ inChunks }: SendOptions): Record<string, string> =>
  inChunks ? { 'transfer-encoding': 'chunked' } : {};

const inHalves = (body: string | Buffer): Readable => {
  const bytes = Buffer.from(body);
  const middle = bytes.length >> 1;
  return Readable.from([bytes.subarray(0, middle), bytes.subarray(middle)]);
};

/** The client would end each connection on which a DELETE had a body; those of this API say how to delete. */
export const connectionAfter = (method: string): { readonly reset?: false } =>
  method === 'DELETE' ? { reset: false } : {};

/** Requests to the target, each noted as an exchange. A target that cannot be reached is a Breach. */
export function makeClient({ target, agents, userAgent, headers: always = {}, record, limit }: ClientOptions): Client {
  async function ask(method: string, path: string, options: SendOptions, signal: AbortSignal): Promise<Sent> {
    const url = `${target.url}${path}${queryText(options.query)}`;
    const body = bodyOf(options.body);
    const signed = options.credentials !== false;
    // A client certificate would count beside the credentials that are given instead.
    const shows = signed && options.headers?.['authorization'] === undefined;
    const headers = {
      'user-agent': userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(signed ? { ...authorization(target), ...always } : {}),
      ...options.headers,
    };
    const exchange = unanswered(method, url, flatten({ ...headers, ...framing(options) }), body);
    record(exchange);
    const started = performance.now();
    try {
      const dispatcher = shows ? agents.own : agents.anonymous;
      const parts = {
        method: method as Dispatcher.HttpMethod,
        headers: { ...headers, ...passedOn(target, shows) } as Record<string, string | string[]>,
        body: options.inChunks ? inHalves(body ?? '') : (body ?? null),
        signal,
        headersTimeout: 0,
        bodyTimeout: 0,
        ...connectionAfter(method),
      };
      const response = await ('upgrade' in headers
        ? askForSocket(dispatcher, url, parts)
        : undiciRequest(url, { ...parts, dispatcher }));
      exchange.status = response.statusCode;
      exchange.answerHeaders = flatten(response.headers);
      return { exchange, response, started };
    } catch (error) {
      throw unreachable({ exchange, started }, error, options, limit);
    }
  }

  async function send(method: string, path: string, options: SendOptions = {}): Promise<Answer> {
    const timeout = AbortSignal.timeout(options.limit ?? limit);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    const sent = await inTurn(() => ask(method, path, options, signal), signal);
    const { exchange, started } = sent;
    try {
      const bytes = await bytesOf(sent.response.body);
      exchange.answerBody = excerpt(bytes);
      exchange.milliseconds = Math.round(performance.now() - started);
      return answer(sent, bytes);
    } catch (error) {
      throw unreachable({ exchange, started }, error, options, limit);
    }
  }

  async function open(path: string, options: SendOptions & { signal: AbortSignal }): Promise<OpenAnswer> {
    const { exchange, response } = await inTurn(() => ask('GET', path, options, options.signal), options.signal);
    return { status: response.statusCode, headers: exchange.answerHeaders, stream: response.body, exchange };
  }

  return { send, open };
}

/** How often a server that is at its limits is asked for the same: it has begun nothing of what it turns away. */
const mostTurns = 5;

/**
 * Milliseconds until such a server is to be asked again. It turns away in plain text; what the API refuses is a Status.
 * But reads are refused for now by nothing the documents know of: the cache of a type that is new is not filled yet.
 */
function untilNextTurn({ exchange: { method }, response: { statusCode, headers } }: Sent): number | undefined {
  const isPlain = /^text\/plain/.test(String(headers['content-type']));
  const isTurnedAway = statusCode === 429 && (isPlain || method === 'GET');
  const seconds = Number(headers['retry-after']);
  return isTurnedAway && seconds >= 0 ? seconds * 1_000 : undefined;
}

async function inTurn(ask: () => Promise<Sent>, signal: AbortSignal): Promise<Sent> {
  for (let turn = 1; ; turn++) {
    const sent = await ask();
    const wait = turn < mostTurns ? untilNextTurn(sent) : undefined;
    if (wait === undefined) return sent;
    sent.response.body.resume();
    // Who is given up meanwhile is told so when he asks again.
    await sleep(wait, undefined, { signal }).catch(() => undefined);
  }
}

/** Longer answers are no answers: nobody could read them. */
export const longestAnswer = 64 * 1024 * 1024;

const bytesOf = (body: Readable): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    body
      .on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > longestAnswer) body.destroy(new Error(`the answer is longer than ${longestAnswer} bytes`));
        else chunks.push(chunk);
      })
      .once('end', () => resolve(Buffer.concat(chunks, length)))
      .once('error', reject)
      .once('close', () => reject(new Error('the answer ended early')));
  });

/** Its body is read when it is asked for: many answers are looked at for their status alone, and some are long. */
function answer({ exchange, response }: Sent, bytes: Buffer): Answer {
  const values = response.headers;
  let read: { readonly body: Json } | undefined;
  return {
    status: response.statusCode,
    headers: exchange.answerHeaders,
    all: (header) => [values[header.toLowerCase()] ?? []].flat(),
    bytes,
    get text() {
      return bytes.toString();
    },
    get body() {
      read ??= { body: parseJson(bytes.toString()) };
      return read.body;
    },
  };
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreachable(
  { exchange, started }: Omit<Sent, 'response'>,
  error: unknown,
  { signal, limit }: SendOptions,
  usual: number,
): Breach {
  exchange.milliseconds = Math.round(performance.now() - started);
  if (signal?.reason instanceof RuleOver) exchange.isCut = true;
  const isLate = signal?.aborted || (error instanceof Error && error.name === 'TimeoutError');
  const waited = signal?.aborted ? exchange.milliseconds : (limit ?? usual);
  exchange.failure = isLate ? `no answer within ${waited} ms` : messageOf(error);
  return new Breach(isLate ? 'timeout' : 'connection', `${exchange.method} ${exchange.url}: ${exchange.failure}`);
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
