import type { Clock } from '../base/time/clock.ts';
import type { Behind } from '../watch/delivery.ts';
import type { Exchange } from './exchange.ts';

/** A request that was answered, or a watch that has ended. */
export interface RecentRequest {
  /** Counts up. */
  readonly id: number;
  /** When it came; milliseconds since the epoch. */
  readonly at: number;
  readonly user: string;
  readonly userAgent: string;
  /** get, list, watch, …; of other paths the method in lower case. */
  readonly verb: string;
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly namespace: string;
  /** Of its body, empty without one. */
  readonly contentType: string;
  /** 0: the client went before there was an answer. */
  readonly code: number;
  readonly milliseconds: number;
}

/** Requests that are remembered. */
const most = 500;
/** Characters of what comes from clients. */
const longest = 2_000;

/** A watch that is open. */
export interface WatchInProgress extends Omit<RecentRequest, 'code' | 'milliseconds'> {
  /** What its client has yet to be told. */
  readonly behind: Behind;
}

/** The latest requests, for people to look at. Holds no bodies and no credentials. */
export class RecentRequests {
  readonly #kept: RecentRequest[] = [];
  readonly #watches = new Map<number, Exchange>();
  #last = 0;

  /** The oldest first. */
  get all(): readonly RecentRequest[] {
    return this.#kept;
  }

  get watches(): readonly WatchInProgress[] {
    return Array.from(this.#watches, ([id, exchange]) => ({ id, ...about(exchange), behind: exchange.behind() }));
  }

  /** Follows a request to its end. */
  begin(exchange: Exchange, clock: Clock): void {
    const { info, ending, receivedAt, outgoing } = exchange;
    this.#last += 1;
    const id = this.#last;
    if (info.verb === 'watch') this.#watches.set(id, exchange);
    ending.whenOver(() => {
      this.#watches.delete(id);
      const code = outgoing.headersSent ? outgoing.statusCode : 0;
      this.#kept.push({ id, ...about(exchange), code, milliseconds: clock.now() - receivedAt });
      if (this.#kept.length > most) this.#kept.shift();
    });
  }
}

const about = ({ info, incoming, user, userAgent, receivedAt }: Exchange) => ({
  at: receivedAt,
  user: user.name.slice(0, longest),
  userAgent: userAgent.slice(0, longest),
  verb: info.verb,
  method: incoming.method ?? '',
  url: (incoming.url ?? '').slice(0, longest),
  namespace: info.namespace,
  contentType: (incoming.headers['content-type'] ?? '').slice(0, longest),
});
