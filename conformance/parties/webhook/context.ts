import { Agent, request } from 'undici';
import type { Expect } from '../../assertions.ts';
import { expect } from '../../expect.ts';
import type { KeyPair } from '../../lab/certificates.ts';
import { Breach, Skipped } from '../../verbs/breach.ts';
import { type Exchange, shorten } from '../../verbs/exchange.ts';
import { trustOf } from '../../verbs/wire/trust.ts';
import { bytesOf } from '../bytes-of.ts';
import type { ClusterCandidate } from '../cluster.ts';
import { type Operation, patched } from '../json-patch.ts';
import type { PartyRun } from '../party.ts';
import { type Installed, install } from './installed.ts';
import { type Requests, type Review, requestsOn, resources } from './reviews.ts';

/** The webhook that is judged. */
export interface WebhookCandidate {
  readonly url: string;
  /** PEM that vouches for its certificate. */
  readonly authority: string;
  /** What it is configured for; all of which there are requests, unless given. */
  readonly resources?: readonly string[];
  /** Whose API server shall call it, too. */
  readonly cluster?: ClusterCandidate;
}

/** The `response` of an answer, as far as it is looked at. */
export interface Response {
  readonly uid?: unknown;
  readonly allowed?: unknown;
  readonly status?: { readonly code?: unknown; readonly message?: unknown };
  readonly patchType?: unknown;
  readonly patch?: unknown;
  readonly warnings?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Undefined when it is no JSON. */
  readonly body: { readonly apiVersion?: unknown; readonly kind?: unknown; readonly response?: Response } | undefined;
  readonly milliseconds: number;
}

/** What a check works with: calls as an API server makes them. */
export interface WebhookContext extends Requests {
  readonly expect: Expect;
  /** Sends a body as it is. Throws a Breach when there is no answer within the seconds (10 unless given). */
  readonly send: (body: string, options?: SendOptions) => Promise<Answer>;
  /** Asks, and gives the response. Throws when the answer is no review. */
  readonly ask: (review: Review, options?: SendOptions) => Promise<Response>;
  /** What was asked about as the response changes it. */
  readonly changed: (object: unknown, response: Response) => unknown;
  /** Has an API server call it. Gives up without a verdict where there is none. */
  readonly installed: () => Promise<Installed>;
  readonly skip: (reason: string) => never;
}

export interface SendOptions {
  readonly seconds?: number;
  /** Shown to the webhook as the client's. */
  readonly pair?: KeyPair;
}

const shownBody = 8_000;

export async function openWebhook(candidate: WebhookCandidate, run: PartyRun): Promise<WebhookContext> {
  const { url, authority, cluster } = candidate;
  const agents: Agent[] = [];
  run.release(() => Promise.all(agents.map((agent) => agent.destroy())));
  const connect = (pair?: KeyPair): Agent => {
    const certificate = pair ? { cert: pair.certificate, key: pair.key } : {};
    const agent = new Agent({ connect: { ...trustOf(authority), ...certificate }, connections: 128 });
    agents.push(agent);
    return agent;
  };
  const own = connect();
  const send: WebhookContext['send'] = (body, { seconds = 10, pair } = {}) =>
    call({ url, body, seconds, agent: pair ? connect(pair) : own }, run.exchanges);
  return {
    ...requestsOn(candidate.resources ?? resources),
    expect,
    send,
    ask: async (review, options) => responseOf(await send(JSON.stringify(review), options)),
    changed,
    installed: async () => (cluster ? install(cluster, candidate, run) : skip(noServer)),
    skip,
  };
}

const noServer = 'no API server calls the webhook; --kubeconfig names one';

function skip(reason: string): never {
  throw new Skipped(reason);
}

interface Call {
  readonly url: string;
  readonly body: string;
  readonly seconds: number;
  readonly agent: Agent;
}

async function call({ url, body, seconds, agent }: Call, exchanges: Exchange[]): Promise<Answer> {
  const target = new URL(url);
  // As an API server tells how long it waits.
  target.searchParams.set('timeout', `${seconds}s`);
  const requestHeaders = { 'content-type': 'application/json', accept: 'application/json, */*' };
  const exchange: Exchange = {
    ...{ method: 'POST', url: target.href, requestHeaders, requestBody: shorten(body, shownBody) },
    ...{ status: 0, answerHeaders: {}, answerBody: '', milliseconds: 0 },
  };
  exchanges.push(exchange);
  const began = performance.now();
  try {
    const signal = AbortSignal.timeout(seconds * 1_000);
    const answer = await request(target, { method: 'POST', dispatcher: agent, headers: requestHeaders, body, signal });
    exchange.status = answer.statusCode;
    exchange.answerBody = new TextDecoder().decode(await bytesOf(answer.body));
  } catch (error) {
    exchange.failure = (error as Error).message;
    throw new Breach('assertion', `no answer within ${seconds} s: ${exchange.failure}`);
  } finally {
    exchange.milliseconds = Math.round(performance.now() - began);
  }
  const { status, answerBody: text, milliseconds } = exchange;
  return { status, text, milliseconds, body: parsed(text) };
}

function parsed(text: string): Answer['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}

function responseOf({ status, body, text }: Answer): Response {
  expect(status, `status of the answer: ${text.slice(0, 200)}`).toBe(200);
  expect(body, 'the answer').toMatchObject({ kind: 'AdmissionReview', response: {} });
  return body?.response ?? {};
}

function changed(object: unknown, { patch }: Response): unknown {
  if (patch === undefined) return object;
  try {
    return patched(object, operationsOf(patch));
  } catch (error) {
    throw new Breach('assertion', `the patch cannot be applied: ${(error as Error).message}`);
  }
}

/** What comes of a response: all that it says, and the object as it is then, however the patch to it is written. */
export function effectOf(object: unknown, { uid: _, patch, patchType: __, ...said }: Response): object {
  return { ...said, object: object === null ? object : changed(object, { patch }) };
}

/** @throws Error when it is no JSON Patch in base64 */
export function operationsOf(patch: unknown): readonly Operation[] {
  const text = Buffer.from(String(patch), 'base64');
  if (text.toString('base64').replace(/=+$/, '') !== String(patch).replace(/=+$/, ''))
    throw new Error('it is no base64');
  const operations: unknown = JSON.parse(text.toString());
  if (!Array.isArray(operations)) throw new Error('it is no list of operations');
  return operations;
}
