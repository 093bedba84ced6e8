import type { Readable } from 'node:stream';
import { request as undiciRequest } from 'undici';
import { Breach } from '../breach.ts';
import type { Answer, Client, OpenAnswer, SendOptions } from '../client.ts';
import { type Exchange, excerpt, RuleOver } from '../exchange.ts';
import { type Json, jsonOf } from '../json.ts';
import { type Answering, inTurn } from './in-turn.ts';
import { flatten, type Outgoing, outgoingOf, type Question, type Sender } from './outgoing.ts';
import { askForSocket } from './web-socket.ts';
import { askWhole, type WholeAnswer } from './whole-answer.ts';

export interface ClientOptions extends Sender {
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

/** Requests to the target, each noted as an exchange. A target that cannot be reached is a Breach. */
export const makeClient = (client: ClientOptions): Client => ({
  send: (method, path, options = {}) => send(client, { method, path, options }),
  open: (path, options) => open(client, { method: 'GET', path, options }, options.signal),
});

async function send(client: ClientOptions, question: Question): Promise<Answer> {
  const { limit = client.limit, signal } = question.options;
  const givenUp = { until: performance.now() + limit, signal };
  const whole = ({ url, dispatcher, parts }: Outgoing): Promise<WholeAnswer> => {
    const { origin, pathname, search } = new URL(url);
    return askWhole(dispatcher, { ...parts, origin, path: `${pathname}${search}` }, givenUp);
  };
  const sent = await inTurn(question.method, () => ask(client, question, whole), givenUp);
  const { exchange, started, response } = sent;
  exchange.answerBody = excerpt(response.bytes);
  exchange.milliseconds = Math.round(performance.now() - started);
  return answer(sent);
}

async function open(client: ClientOptions, question: Question, signal: AbortSignal): Promise<OpenAnswer> {
  const streamed = ({ url, dispatcher, parts }: Outgoing): Promise<Streamed> =>
    'upgrade' in parts.headers
      ? askForSocket(dispatcher, url, { ...parts, signal })
      : undiciRequest(url, { ...parts, signal, dispatcher });
  const givenUp = { until: Number.POSITIVE_INFINITY, signal };
  const { exchange, response } = await inTurn(question.method, () => ask(client, question, streamed), givenUp);
  return { status: response.statusCode, headers: exchange.answerHeaders, stream: response.body, exchange };
}

async function ask<R extends Answering>(
  client: ClientOptions,
  question: Question,
  go: (outgoing: Outgoing) => Promise<R>,
): Promise<Sent<R>> {
  const { exchange, outgoing } = outgoingOf(client, question);
  client.record(exchange);
  const started = performance.now();
  try {
    const response = await go(outgoing);
    exchange.status = response.statusCode;
    exchange.answerHeaders = flatten(response.headers);
    return { exchange, response, started };
  } catch (error) {
    throw unreachable({ exchange, started }, error, { limit: client.limit, ...question.options });
  }
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

function unreachable({ exchange, started }: Asked, error: unknown, { signal, limit }: SendOptions): Breach {
  exchange.milliseconds = Math.round(performance.now() - started);
  if (signal?.reason instanceof RuleOver) exchange.isCut = true;
  const isLate = signal?.aborted || (error instanceof Error && error.name === 'TimeoutError');
  const waited = signal?.aborted ? exchange.milliseconds : limit;
  exchange.failure = isLate ? `no answer within ${waited} ms` : messageOf(error);
  const message = `${exchange.method} ${exchange.url}: ${exchange.failure}`;
  return new Breach(isLate ? 'timeout' : 'connection', message, { cause: error });
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
