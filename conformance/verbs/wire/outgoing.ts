import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Target } from '../../target/target.ts';
import type { Query, SendOptions } from '../client.ts';
import { type Exchange, shorten } from '../exchange.ts';
import type { Agents } from './connections.ts';

/** To whom requests go, and what all of them have in common. */
export interface Sender {
  readonly target: Target;
  readonly agents: Agents;
  readonly userAgent: string;
  /** Added to every request, for example to act as another user. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** What is asked of the target. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly options: SendOptions;
}

/** A request as it goes out. */
export interface Outgoing {
  readonly url: string;
  readonly dispatcher: Dispatcher;
  readonly parts: OutgoingParts;
}

/** A request that goes out, and the exchange that it begins. */
interface Begun {
  readonly exchange: Exchange;
  readonly outgoing: Outgoing;
}

interface OutgoingParts {
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Record<string, string | string[]>;
  readonly body: string | Buffer | Readable | null;
  readonly headersTimeout: 0;
  readonly bodyTimeout: 0;
  readonly reset?: false;
}

export function queryText(query: Query | string | undefined): string {
  if (query === undefined) return '';
  if (typeof query === 'string') return query === '' ? '' : `?${query}`;
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) => [value].flat().map((one): [string, string] => [key, String(one)]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** Of a header that stands there several times, all values as one. */
export function flatten(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
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

const headersOf = ({ target, userAgent, headers = {} }: Sender, options: SendOptions, hasBody: boolean) => ({
  'user-agent': userAgent,
  ...(hasBody ? { 'content-type': 'application/json' } : {}),
  ...(options.credentials === false ? {} : { ...authorization(target), ...headers }),
  ...options.headers,
});

/** A request as the target is to get it. */
export function outgoingOf(sender: Sender, { method, path, options }: Question): Begun {
  const { target, agents } = sender;
  const url = `${target.url}${path}${queryText(options.query)}`;
  const body = bodyOf(options.body);
  const headers = headersOf(sender, options, body !== undefined);
  // A client certificate would count beside the credentials that are given instead.
  const shows = options.credentials !== false && options.headers?.['authorization'] === undefined;
  const parts: OutgoingParts = {
    ...unlimited,
    method: method as Dispatcher.HttpMethod,
    headers: { ...headers, ...passedOn(target, shows) } as OutgoingParts['headers'],
    body: options.inChunks ? inHalves(body ?? '') : (body ?? null),
    ...connectionAfter(method),
  };
  const requestHeaders = flatten({ ...headers, ...framing(options) });
  return {
    exchange: unanswered({ method, url, requestHeaders }, body),
    outgoing: { url, parts, dispatcher: shows ? agents.own : agents.anonymous },
  };
}

/** Each request has a limit of its own, for all of it. */
const unlimited = { headersTimeout: 0, bodyTimeout: 0 } as const;

const unanswered = (sent: Pick<Exchange, 'method' | 'url' | 'requestHeaders'>, body?: string | Buffer): Exchange => ({
  ...sent,
  ...(body === undefined ? {} : { requestBody: shorten(body.toString()) }),
  ...{ status: 0, answerHeaders: {}, answerBody: '', milliseconds: 0 },
});
