import { Readable } from 'node:stream';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { Agent, type Dispatcher, request as undiciRequest } from 'undici';
import type { Target } from '../../target/target.ts';
import { Breach } from '../breach.ts';
import type { Answer, Client, OpenAnswer, Query, SendOptions } from '../client.ts';
import { type Exchange, excerpt, RuleOver, shorten } from '../exchange.ts';
import { type Json, jsonOf } from '../json.ts';
import { type Answering, inTurn } from './in-turn.ts';
import { trustOf } from './trust.ts';
import { askForSocket } from './web-socket.ts';
import { askWhole, type WholeAnswer } from './whole-answer.ts';

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

/** A request on its way. */
interface Asked {
  readonly exchange: Exchange;
  readonly started: number;
}

/** One of which the answer came: all of it, or a stream. */
interface Sent<R> extends Asked {
  readonly response: R;
}

type Streamed = Answering & { readonly body: Readable };

interface Noted {
  readonly exchange: Exchange;
  readonly outgoing: Outgoing;
}

/** A request as it goes out. */
interface Outgoing {
  readonly url: string;
  readonly dispatcher: Dispatcher;
  readonly parts: OutgoingParts;
}

interface OutgoingParts {
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Record<string, string | string[]>;
  readonly body: string | Buffer | Readable | null;
  readonly headersTimeout: 0;
  readonly bodyTimeout: 0;
  readonly reset?: false;
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

/** A request as the target is to get it, noted as an exchange. */
function noted(
  { target, agents, userAgent, headers: always = {}, record }: ClientOptions,
  method: string,
  path: string,
  options: SendOptions,
): Noted {
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
  const parts: OutgoingParts = {
    method: method as Dispatcher.HttpMethod,
    headers: { ...headers, ...passedOn(target, shows) } as OutgoingParts['headers'],
    body: options.inChunks ? inHalves(body ?? '') : (body ?? null),
    headersTimeout: 0,
    bodyTimeout: 0,
    ...connectionAfter(method),
  };
  return { exchange, outgoing: { url, parts, dispatcher: shows ? agents.own : agents.anonymous } };
}

/** Requests to the target, each noted as an exchange. A target that cannot be reached is a Breach. */
export function makeClient(client: ClientOptions): Client {
  const { limit } = client;

  async function ask<R extends Answering>(
    method: string,
    path: string,
    options: SendOptions,
    go: (outgoing: Outgoing) => Promise<R>,
  ): Promise<Sent<R>> {
    const { exchange, outgoing } = noted(client, method, path, options);
    const started = performance.now();
    try {
      const response = await go(outgoing);
      exchange.status = response.statusCode;
      exchange.answerHeaders = flatten(response.headers);
      return { exchange, response, started };
    } catch (error) {
      throw unreachable({ exchange, started }, error, options, limit);
    }
  }

  async function send(method: string, path: string, options: SendOptions = {}): Promise<Answer> {
    const givenUp = { until: performance.now() + (options.limit ?? limit), signal: options.signal };
    const whole = ({ url, dispatcher, parts }: Outgoing): Promise<WholeAnswer> => {
      const { origin, pathname, search } = new URL(url);
      return askWhole(dispatcher, { ...parts, origin, path: `${pathname}${search}` }, givenUp);
    };
    const sent = await inTurn(method, () => ask(method, path, options, whole), givenUp);
    const { exchange, started, response } = sent;
    exchange.answerBody = excerpt(response.bytes);
    exchange.milliseconds = Math.round(performance.now() - started);
    return answer(sent);
  }

  async function open(path: string, options: SendOptions & { signal: AbortSignal }): Promise<OpenAnswer> {
    const { signal } = options;
    const streamed = ({ url, dispatcher, parts }: Outgoing): Promise<Streamed> =>
      'upgrade' in parts.headers
        ? askForSocket(dispatcher, url, { ...parts, signal })
        : undiciRequest(url, { ...parts, signal, dispatcher });
    const givenUp = { until: Number.POSITIVE_INFINITY, signal };
    const { exchange, response } = await inTurn('GET', () => ask('GET', path, options, streamed), givenUp);
    return { status: response.statusCode, headers: exchange.answerHeaders, stream: response.body, exchange };
  }

  return { send, open };
}

/** Its body is read when it is asked for: many answers are looked at for their status alone, and some are long. */
function answer({ exchange, response: { statusCode, headers, bytes } }: Sent<WholeAnswer>): Answer {
  let read: { readonly body: Json } | undefined;
  return {
    status: statusCode,
    headers: exchange.answerHeaders,
    all: (header) => [headers[header.toLowerCase()] ?? []].flat(),
    bytes,
    get text() {
      return bytes.toString();
    },
    get body() {
      read ??= { body: jsonOf(bytes) };
      return read.body;
    },
    toJSON() {
      return { status: statusCode, body: this.body ?? this.text, headers: this.headers };
    },
  };
}

function unreachable(
  { exchange, started }: Asked,
  error: unknown,
  { signal, limit }: SendOptions,
  usual: number,
): Breach {
  exchange.milliseconds = Math.round(performance.now() - started);
  if (signal?.reason instanceof RuleOver) exchange.isCut = true;
  const isLate = signal?.aborted || (error instanceof Error && error.name === 'TimeoutError');
  const waited = signal?.aborted ? exchange.milliseconds : (limit ?? usual);
  exchange.failure = isLate ? `no answer within ${waited} ms` : messageOf(error);
  const message = `${exchange.method} ${exchange.url}: ${exchange.failure}`;
  return new Breach(isLate ? 'timeout' : 'connection', message, { cause: error });
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
