import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Breach } from './breach.ts';
import type { Client, OpenAnswer, Query } from './client.ts';
import type { Exchange } from './exchange.ts';
import { type Json, jsonOf } from './json.ts';
import { longestAnswer } from './wire/whole-answer.ts';

const longestNote = 64 * 1024;

export interface WatchEvent {
  readonly type: string;
  readonly object: Json;
}

/** Passes over the mark of a deletion: some kinds, such as pods, are marked before they go even if nothing keeps them. */
export const besidesMarks = ({ type, object }: WatchEvent): boolean =>
  type !== 'MODIFIED' || object?.metadata?.deletionTimestamp === undefined;

/** A running watch. Events are kept from the moment it opened, so none is missed between two calls. */
export interface Watch {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** All that came so far. */
  readonly events: readonly WatchEvent[];
  /** The body, when the answer is a refusal instead of a stream. */
  readonly refusal: () => Promise<Json>;
  /**
   * The next event not taken yet for which `accept` holds; others before it are passed over.
   * @param limit milliseconds, where not those of the watch
   */
  readonly next: (what: string, accept?: (event: WatchEvent) => boolean, limit?: number) => Promise<WatchEvent>;
  /** The next `count` events for which `accept` holds. */
  readonly take: (count: number, accept?: (event: WatchEvent) => boolean) => Promise<readonly WatchEvent[]>;
  /** Resolves when the server ends the stream. */
  readonly ended: (limit?: number) => Promise<void>;
  readonly close: () => void;
}

/** Whether a watch has begun, be it over a WebSocket. */
export const streams = ({ status }: Watch): boolean => status === 200 || status === 101;

/** Splits a stream of JSON lines. One that is no JSON, or no event, becomes an event whose type says so. */
class EventLines {
  #rest = '';
  readonly #decoder = new TextDecoder();

  push(chunk: Uint8Array): WatchEvent[] {
    const [first = '', ...more] = this.#decoder.decode(chunk, { stream: true }).split('\n');
    // What has come of a line is not looked through again: it may be very long.
    const lines = [this.#rest + first, ...more];
    this.#rest = lines.pop() ?? '';
    return lines.filter((line) => line.trim() !== '').map(parseEvent);
  }

  /** What came without a line end. */
  flush(): WatchEvent[] {
    const rest = this.#rest.trim();
    this.#rest = '';
    return rest === '' ? [] : [parseEvent(rest)];
  }
}

/** Adds to the exchange what came, as far as a report can bear it. */
function note(exchange: Exchange, chunk: Uint8Array): void {
  if (exchange.answerBody.length > longestNote) return;
  exchange.answerBody += Buffer.from(chunk).toString('utf8');
}

function parseEvent(line: string): WatchEvent {
  try {
    const event = JSON.parse(line) as WatchEvent | null;
    return typeof event?.type === 'string' ? event : { type: '(not an event)', object: event };
  } catch {
    return { type: '(not JSON)', object: line };
  }
}

/** The events of an open stream, each wait bounded by `limit` milliseconds. */
class WatchReader {
  readonly events: WatchEvent[] = [];
  /** Ends with the stream. */
  readonly pumped: Promise<void>;
  readonly #answer: OpenAnswer;
  readonly #limit: number;
  readonly #lines = new EventLines();
  #taken = 0;
  #over = false;
  #wake = (): void => {};

  constructor(answer: OpenAnswer, limit: number) {
    this.#answer = answer;
    this.#limit = limit;
    this.pumped = this.#pump();
  }

  async #pump(): Promise<void> {
    let length = 0;
    const { headers, stream } = this.#answer;
    // Who says that it is packed has to mean it.
    const plain = headers['content-encoding'] === 'gzip' ? pipeline(stream, createGunzip(), () => {}) : stream;
    try {
      for await (const chunk of plain) {
        length += chunk.length;
        if (length > longestAnswer) break;
        note(this.#answer.exchange, chunk as Uint8Array);
        this.#receive(this.#lines.push(chunk as Uint8Array));
      }
    } catch {
      // Closed by us, or broken off by the server: either way the stream is over.
    }
    this.#over = true;
    this.#receive(this.#lines.flush());
  }

  #receive(more: readonly WatchEvent[]): void {
    this.events.push(...more);
    this.#wake();
  }

  /** Whether anything happened before the deadline. */
  #change(deadline: number): Promise<boolean> {
    return new Promise((resolve) => {
      const alarm = setTimeout(() => resolve(false), Math.max(0, deadline - performance.now()));
      this.#wake = () => {
        clearTimeout(alarm);
        resolve(true);
      };
    });
  }

  #seen(): string {
    return this.events.map((event) => `${event.type} ${event.object?.metadata?.name ?? ''}`).join(', ') || 'no event';
  }

  async next(
    what: string,
    accept: (event: WatchEvent) => boolean = () => true,
    limit = this.#limit,
  ): Promise<WatchEvent> {
    const deadline = performance.now() + limit;
    for (;;) {
      while (this.#taken < this.events.length) {
        const event = this.events[this.#taken++] as WatchEvent;
        if (accept(event)) return event;
      }
      if (this.#over) throw new Breach('assertion', `the watch ended before ${what}; it sent ${this.#seen()}`);
      if (!(await this.#change(deadline)))
        throw new Breach('assertion', `waited ${limit} ms for ${what}; the watch sent ${this.#seen()}`);
    }
  }

  async ended(most = this.#limit): Promise<void> {
    const deadline = performance.now() + most;
    while (!this.#over) {
      if (!(await this.#change(deadline)) && !this.#over)
        throw new Breach('assertion', `the watch did not end within ${most} ms`);
    }
  }
}

/** Opens a watch. `limit` is how many milliseconds each wait may take. */
export async function openWatch(
  client: Client,
  path: string,
  query: Query,
  limit: number,
  headers = {},
): Promise<Watch> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), limit);
  const answer = await client.open(path, { query: { watch: 1, ...query }, headers, signal: stop.signal });
  clearTimeout(timer);
  const reader = new WatchReader(answer, limit);
  const next: Watch['next'] = (what, accept, most) => reader.next(what, accept, most);
  return {
    status: answer.status,
    headers: answer.headers,
    events: reader.events,
    refusal: async () => {
      await reader.pumped;
      return jsonOf(answer.exchange.answerBody);
    },
    next,
    take: async (count, accept) => {
      const some: WatchEvent[] = [];
      while (some.length < count) some.push(await next(`event ${some.length + 1} of ${count}`, accept));
      return some;
    },
    ended: (most) => reader.ended(most),
    close: () => stop.abort(),
  };
}
