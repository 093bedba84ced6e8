import type { Duration } from '../base/time/movable-clock.ts';

/** Which requests a fault is for; what is left out narrows nothing. All are compared as they are, without patterns. */
export interface Match {
  /** get, list, watch, create, update, patch, delete, deletecollection; of other paths the method in lower case. */
  readonly verb?: string;
  /** Empty for the core group. */
  readonly group?: string;
  /** The plural in paths. */
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The beginning of the path. */
  readonly path?: string;
  /** A part of the User-Agent. */
  readonly userAgent?: string;
}

/** What happens to the next requests that match, in the order in which faults were added; the first that fits counts. */
export type RequestFault =
  /** Answers a Status with this code (400 to 599) and does nothing. `reason` and `message` have sensible defaults. */
  | {
      readonly fault: 'fail';
      readonly code: number;
      readonly reason?: string;
      readonly message?: string;
      /** Seconds, as Retry-After and in the Status. */
      readonly retryAfter?: number;
    }
  /** Answers later, by so many milliseconds and up to `jitter` more. Other faults still apply. */
  | { readonly fault: 'delay'; readonly milliseconds: number; readonly jitter?: number }
  /** Cuts the connection before anything is done. */
  | { readonly fault: 'drop' }
  /** Carries the request out, and cuts the connection instead of answering. */
  | { readonly fault: 'dropAfter' }
  /** Answers, and tells the client to use another connection (GOAWAY, or `Connection: close`). */
  | { readonly fault: 'goAway' }
  /** Gets and lists show what was stored when the fault was asked for, as a replica does that lags behind. */
  | { readonly fault: 'staleReads' }
  /** For watches: bookmarks are left out of their JSON. */
  | { readonly fault: 'withholdBookmarks' };

/** What happens at once to the watches that are open and match. */
export type WatchFault =
  /** Ends them in good order, as a server does after a time. */
  | { readonly fault: 'endWatches' }
  /** Cuts their connections in the middle. */
  | { readonly fault: 'cutWatches' }
  /** The server's side of the connection ends in the middle, the other stays open; HTTP/2: the stream's side. */
  | { readonly fault: 'halfCloseWatches' }
  /** Says nothing more, and keeps the connection open; until `thawWatches`. */
  | { readonly fault: 'freezeWatches' }
  /** Sends what was held back, and goes on; ends `lagWatches` too. */
  | { readonly fault: 'thawWatches' }
  /**
   * From now on changes come later by so many milliseconds, to watches opened later too: what happens to other kinds
   * afterwards is heard of before. Until `thawWatches`.
   */
  | { readonly fault: 'lagWatches'; readonly milliseconds: number }
  /** Sends those that take bookmarks one, at the version that they have reached. */
  | { readonly fault: 'sendBookmarks' };

/** What happens at once to the server. */
export type ServerFault =
  /** Forgets all history: lists and watches at older versions answer 410. */
  | { readonly fault: 'expire' }
  /** Refuses from now on every bearer token that a request that matches was made with: 401. New tokens are good. */
  | { readonly fault: 'expireTokens'; readonly match?: Match }
  /** Shows new connections a certificate whose time is over, until `renewCertificate`. */
  | { readonly fault: 'expireCertificate' }
  | { readonly fault: 'renewCertificate' }
  /** The time of day is wrong by so much, such as `-5m`; `0` ends it. */
  | { readonly fault: 'skewClock'; readonly by: Duration }
  /** Time goes forward at once. */
  | { readonly fault: 'advanceClock'; readonly by: Duration };

/** What happens to the next calls of admission webhooks. */
export interface WebhookFault {
  /** They fail as if nobody listened; failurePolicy says what that means. */
  readonly fault: 'webhookOutage';
  /** Only the webhook of this name. */
  readonly webhook?: string;
}

interface Often {
  /** How many requests (or calls) it is for; 1 unless given. 0: all, until it is taken away. */
  readonly times?: number;
  /** How likely it is that one of them is met, from 0 to 1; 1 unless given. Those spared do not count. */
  readonly chance?: number;
}

interface Aim {
  readonly match?: Match;
}

export type Fault = (RequestFault & Aim & Often) | (WatchFault & Aim) | (WebhookFault & Often) | ServerFault;

/** The fault makes no sense. */
export class FaultError extends Error {}
