import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../exchange.ts';
import { onceMore } from './once-more.ts';
import type { GivenUp } from './whole-answer.ts';

/** What tells whether a server has answered, or only turned somebody away. */
export interface Answering {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  /** Where the rest is still to come. */
  readonly body?: Readable;
}

/** How often a server that is at its limits is asked for the same: it has begun nothing of what it turns away. */
const mostTurns = 5;

interface Sent {
  readonly exchange: Pick<Exchange, 'method'>;
  readonly response: Answering;
}

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

/** Asks again, a few times, where the server says when to. */
export async function inTurn<S extends Sent>(
  method: string,
  ask: () => Promise<S>,
  { until, signal }: GivenUp,
): Promise<S> {
  for (let turn = 1; ; turn++) {
    const sent = await onceMore(method, ask);
    const wait = turn < mostTurns ? untilNextTurn(sent) : undefined;
    if (wait === undefined) return sent;
    sent.response.body?.resume();
    const left = Math.max(0, until - performance.now());
    // Who is given up meanwhile is told so when he asks again.
    await sleep(Math.min(wait, left), undefined, { signal }).catch(() => undefined);
  }
}
