import { Breach } from './breach.ts';
import type { Client, Json, Query } from './client.ts';
import type { Exchange } from './exchange.ts';

const longestNote = 64 * 1024;

export interface WatchEvent {
  readonly type: string;
  readonly object: Json;
}

/** A running watch. Events are kept from the moment it opened, so none is missed between two calls. */
export interface Watch {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** All that came so far. */
  readonly events: readonly WatchEvent[];
  /** The body, when the answer is a refusal instead of a stream. */
  readonly refusal: () => Promise<Json>;
  /** The next event not taken yet for which `accept` holds; others before it are passed over. */
  readonly next: (what: string, accept?: (event: WatchEvent) => boolean) => Promise<WatchEvent>;
  /** The next `count` events. */
  readonly take: (count: number) => Promise<readonly WatchEvent[]>;
  /** Resolves when the server ends the stream. */
  readonly ended: (limit?: number) => Promise<void>;
  readonly close: () => void;
}

/** Splits a stream of JSON lines. A line that is no JSON becomes an event of the type `(not JSON)`. */
class EventLines {
  #rest = '';
  readonly #decoder = new TextDecoder();

  push(chunk: Uint8Array): WatchEvent[] {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
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

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseEvent(line: string): WatchEvent {
  try {
    const event = JSON.parse(line) as WatchEvent;
    return event !== null && typeof event === 'object' ? event : { type: '(not an event)', object: event };
  } catch {
    return { type: '(not JSON)', object: line };
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
  const events: WatchEvent[] = [];
  const lines = new EventLines();
  let over = false;
  let wake = (): void => {};
  let taken = 0;

  const take = (more: readonly WatchEvent[]): void => {
    events.push(...more);
    wake();
  };
  const pump = async (): Promise<void> => {
    try {
      for await (const chunk of answer.stream) {
        note(answer.exchange, chunk as Uint8Array);
        take(lines.push(chunk as Uint8Array));
      }
    } catch {
      // Closed by us, or broken off by the server: either way the stream is over.
    }
    take(lines.flush());
    over = true;
    wake();
  };
  const pumped = pump();

  const change = (deadline: number): Promise<boolean> =>
    new Promise((resolve) => {
      const alarm = setTimeout(() => resolve(false), Math.max(0, deadline - performance.now()));
      wake = () => {
        clearTimeout(alarm);
        resolve(true);
      };
    });
  const seen = (): string =>
    events.map((event) => `${event.type} ${event.object?.metadata?.name ?? ''}`).join(', ') || 'no event';

  async function next(what: string, accept: (event: WatchEvent) => boolean = () => true): Promise<WatchEvent> {
    const deadline = performance.now() + limit;
    for (;;) {
      while (taken < events.length) {
        const event = events[taken++] as WatchEvent;
        if (accept(event)) return event;
      }
      if (over) throw new Breach('assertion', `the watch ended before ${what}; it sent ${seen()}`);
      if (!(await change(deadline)))
        throw new Breach('assertion', `waited ${limit} ms for ${what}; the watch sent ${seen()}`);
    }
  }

  return {
    status: answer.status,
    headers: answer.headers,
    events,
    refusal: async () => {
      await pumped;
      return parseJson(answer.exchange.answerBody);
    },
    next,
    take: async (count) => {
      const some: WatchEvent[] = [];
      while (some.length < count) some.push(await next(`event ${some.length + 1} of ${count}`));
      return some;
    },
    ended: async (most = limit) => {
      const deadline = performance.now() + most;
      while (!over) {
        if (!(await change(deadline)) && !over)
          throw new Breach('assertion', `the watch did not end within ${most} ms`);
      }
    },
    close: () => stop.abort(),
  };
}
