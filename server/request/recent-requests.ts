import type { Exchange } from './exchange.ts';

/** A request that was answered, or a watch that has ended. */
export interface RecentRequest {
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
  /** 0: the client went before there was an answer. */
  readonly code: number;
  readonly milliseconds: number;
}

/** Requests that are remembered. */
const most = 500;
/** Characters of what comes from clients. */
const longest = 2_000;

/** The latest requests, for people to look at. Holds no bodies and no credentials. */
export class RecentRequests {
  readonly #kept: RecentRequest[] = [];
  readonly #listeners = new Set<(request: RecentRequest) => void>();

  /** The oldest first. */
  get all(): readonly RecentRequest[] {
    return this.#kept;
  }

  /** Tells of each request from now on. @returns what ends that */
  listen(listener: (request: RecentRequest) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  note({ info, incoming, outgoing, user, userAgent, receivedAt }: Exchange, now: number): void {
    const request: RecentRequest = {
      at: receivedAt,
      user: user.name.slice(0, longest),
      userAgent: userAgent.slice(0, longest),
      verb: info.verb,
      method: incoming.method ?? '',
      url: (incoming.url ?? '').slice(0, longest),
      namespace: info.namespace,
      code: outgoing.headersSent ? outgoing.statusCode : 0,
      milliseconds: now - receivedAt,
    };
    this.#kept.push(request);
    if (this.#kept.length > most) this.#kept.shift();
    for (const listener of this.#listeners) listener(request);
  }
}
