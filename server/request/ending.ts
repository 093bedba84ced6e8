import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { perObject } from '../base/memo.ts';

/** What is to be done when a session closes, for each of its exchanges that is still open. */
const openOn = perObject((session: ServerHttp2Session) => {
  const open = new Set<() => void>();
  session.once('close', () => {
    for (const end of [...open]) end();
  });
  return open;
});

/**
 * The end of one exchange, however it comes about: answered, given up by the client, or lost with its stream, session
 * or socket. Over HTTP/2 node's response does not always tell of it (never of a HEAD that was not answered yet, and late
 * comers hear nothing), so the stream and its session are asked as well.
 */
export class Ending {
  #waiting: (() => void)[] | undefined = [];

  constructor(outgoing: ServerResponse | Http2ServerResponse) {
    const end = () => this.#end();
    outgoing.once('close', end);
    if ('stream' in outgoing) this.#follow(outgoing.stream, end);
  }

  get isOver(): boolean {
    return this.#waiting === undefined;
  }

  /** Calls back once, when the exchange is over; soon where it is over already. */
  whenOver(act: () => void): void {
    if (this.#waiting) this.#waiting.push(act);
    else queueMicrotask(act);
  }

  #follow(stream: ServerHttp2Stream, end: () => void): void {
    stream.once('close', end);
    const session = stream.session as ServerHttp2Session | undefined;
    if (stream.destroyed || !session || session.destroyed) {
      queueMicrotask(end);
      return;
    }
    const open = openOn(session);
    open.add(end);
    this.#waiting?.push(() => open.delete(end));
  }

  #end(): void {
    const acts = this.#waiting;
    this.#waiting = undefined;
    for (const act of acts ?? []) act();
  }
}
