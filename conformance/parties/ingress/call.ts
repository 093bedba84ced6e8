import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import { hostInUrl } from '../../../host-in-url.ts';
import { Breach } from '../../verbs/breach.ts';
import { type Exchange, shorten } from '../../verbs/exchange.ts';
import { bytesOf } from '../bytes-of.ts';
import { backendHeader, type Seen } from './backend.ts';

/** Where the controller listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A request to the controller. */
export interface Ask {
  readonly host: string;
  /** `/` unless given. */
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The name to open TLS with; without it plain HTTP. */
  readonly sni?: string;
}

export interface Answered {
  readonly status: number;
  /** The name of the backend that answered; undefined when it was the controller itself. */
  readonly backend: string | undefined;
  /** What the backend saw. */
  readonly seen: Seen | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** DER of the certificate that was shown. */
  readonly certificate: Buffer | undefined;
}

/** Milliseconds that an answer may take. */
const limit = 5_000;

/** Asks over a connection of its own. @throws Breach when there is no answer */
export async function call(address: Address, ask: Ask, note: (exchange: Exchange) => void): Promise<Answered> {
  const exchange = exchangeOf(address, ask);
  note(exchange);
  const began = performance.now();
  try {
    const { message, certificate } = await sent(address, ask, exchange.requestHeaders);
    exchange.status = message.statusCode ?? 0;
    exchange.answerHeaders = Object.fromEntries(
      Object.entries(message.headers).map(([name, value]) => [name, String(value)]),
    );
    const text = (await bytesOf(message)).toString();
    exchange.answerBody = shorten(text);
    const backend = message.headers[backendHeader] as string | undefined;
    return {
      status: exchange.status,
      headers: message.headers,
      backend,
      seen: backend ? parsed(text) : undefined,
      text,
      certificate,
    };
  } catch (error) {
    exchange.failure = (error as Error).message;
    throw new Breach('assertion', `${exchange.url} of ${ask.host}: ${exchange.failure}`);
  } finally {
    exchange.milliseconds = Math.round(performance.now() - began);
  }
}

function exchangeOf(
  { host, port }: Address,
  { path = '/', method = 'GET', sni, headers, body, ...ask }: Ask,
): Exchange {
  const scheme = sni === undefined ? 'http' : 'https';
  return {
    ...{ method, url: `${scheme}://${hostInUrl(host)}:${port}${path}` },
    requestHeaders: { host: ask.host, ...headers },
    ...(body === undefined ? {} : { requestBody: shorten(body) }),
    ...{ status: 0, answerHeaders: {}, answerBody: '', milliseconds: 0 },
  };
}

interface Got {
  readonly message: IncomingMessage;
  readonly certificate: Buffer | undefined;
}

function sent({ host, port }: Address, ask: Ask, headers: Readonly<Record<string, string>>): Promise<Got> {
  const { path = '/', method = 'GET', sni, body } = ask;
  const options = { host, port, path, method, headers, agent: false, signal: AbortSignal.timeout(limit) };
  const { promise, resolve, reject } = Promise.withResolvers<Got>();
  const request =
    sni === undefined
      ? http.request(options)
      : https.request({ ...options, servername: sni, rejectUnauthorized: false });
  request.on('error', reject);
  request.on('response', (message) => {
    const shown = sni === undefined ? undefined : (message.socket as TLSSocket).getPeerCertificate().raw;
    resolve({ message, certificate: shown });
  });
  request.end(body);
  return promise;
}

function parsed(text: string): Seen | undefined {
  try {
    return JSON.parse(text) as Seen;
  } catch {
    return undefined;
  }
}
