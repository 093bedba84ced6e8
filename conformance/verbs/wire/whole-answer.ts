import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** An answer that was read to its end. */
export interface WholeAnswer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** When a request is given up: at a moment of the clock that only goes forward, in milliseconds, or by somebody. */
export interface GivenUp {
  readonly until: number;
  readonly signal?: AbortSignal | undefined;
}

/** Longer answers are no answers: nobody could read them. */
export const longestAnswer = 64 * 1024 * 1024;

/** Why a request is given up whose time is over. */
class Late extends Error {
  override readonly name = 'TimeoutError';
}

/** Sends a request and reads its answer to the end, without a stream for each: that takes half the time. */
export function askWhole(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { until, signal }: GivenUp,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const reading = new Reading(resolve, reject);
    const giveUp = (): void => reading.giveUp(signal?.aborted ? signal.reason : new Late());
    const left = until - performance.now();
    if (signal?.aborted || left <= 0) return giveUp();
    const timer = setTimeout(giveUp, left);
    signal?.addEventListener('abort', giveUp, { once: true });
    reading.over = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    try {
      dispatcher.dispatch(request, reading);
    } catch (error) {
      reading.giveUp(error);
    }
  });
}

/** What comes of one request, chunk by chunk. */
class Reading implements Dispatcher.DispatchHandler {
  over = (): void => {};
  readonly #resolve: (answer: WholeAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #statusCode = 0;
  #headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | undefined;
  /** Why it was given up, while it waited for a connection or later. */
  #reason: Error | undefined;

  constructor(resolve: (answer: WholeAnswer) => void, reject: (error: unknown) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Ends it now, whatever the connection is doing. */
  giveUp(error: unknown): void {
    this.over();
    this.#reason = error instanceof Error ? error : new Error(String(error));
    this.#reject(error);
    this.#controller?.abort(this.#reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#reason) controller.abort(this.#reason);
  }

  /** What comes before the answer itself is no answer. */
  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return;
    this.#statusCode = statusCode;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > longestAnswer) this.giveUp(new Error(`the answer is longer than ${longestAnswer} bytes`));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.over();
    const [first] = this.#chunks;
    const bytes = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.#length);
    this.#resolve({ statusCode: this.#statusCode, headers: this.#headers, bytes });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.over();
    this.#reject(error);
  }
}
