import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { KubeObject } from '../base/kube-object.ts';
import type { Status } from '../base/status-error.ts';
import { anonymous, type User } from '../base/user.ts';
import type { Behind } from '../watch/delivery.ts';
import type { AuditTrail } from './audit/audit.ts';
import { identify, type Noticed, noticedIn, type RequestInfo } from './identify.ts';
import { negotiate, type Offer, plainJson, type Representation } from './negotiate.ts';
import { Query } from './query.ts';
import { Warnings } from './warnings.ts';

const noWarnings: readonly string[] = [];
const truths: readonly string[] = ['1', 't', 'T', 'true', 'TRUE', 'True'];

export type Incoming = IncomingMessage | Http2ServerRequest;
export type Outgoing = ServerResponse | Http2ServerResponse;

/** The connection of a request that wants it to become another kind of connection. */
export interface Upgrade {
  readonly socket: Duplex;
  /** What came behind the request already. */
  readonly head: Buffer;
}
const none = {};
const standingOpen: Entrance = { isClosing: false };
const notBehind = (): Behind => ({ changes: 0, bytes: 0 });
const nothingTaken = () => {};

/** Where requests come in. */
export interface Entrance {
  /** Connections are to end with what is answered on them. */
  readonly isClosing: boolean;
}

/** One request and its answer on the way through the chain. Stages fill it in. */
export class Exchange {
  /** Among those that are open, which keep it. */
  place = -1;
  readonly incoming: Incoming;
  readonly outgoing: Outgoing;
  readonly info: RequestInfo;
  readonly noticed: Noticed;
  readonly ending: Ending;
  /** Missing: the request wants an answer and no more. */
  readonly upgrade: Upgrade | undefined;
  /** The one who is acted for: after impersonation the impersonated user. */
  user: User = anonymous;
  /** The one whose credentials came with the request, when that is somebody else. */
  impersonator: User | undefined;
  /** How errors are sent; the negotiated form once there is one. */
  representation: Representation = plainJson;
  /** Missing: the request leaves no trail. */
  audit: AuditTrail | undefined;
  /** The body as an object, kept for the trail alone. */
  requestObject: KubeObject | undefined;
  /** A body that is no object to be stored (a patch, options, what an operation is asked for), kept for the trail alone. */
  requestDocument: object | undefined;
  responseObject: object | undefined;
  /** The Status of a failure. */
  failure: Status | undefined;
  /** What the answer says of who let the request in. */
  flowHeaders: Readonly<Record<string, string>> = none;
  entrance: Entrance = standingOpen;
  /** Its answer was handed over. */
  isAnswered = false;
  /** Gives back what the request took to be let in. */
  leaveGate: () => void = nothingTaken;
  /** Of a watch: what its client has yet to be told. */
  behind: () => Behind = notBehind;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly userAgent: string;
  #warnings: Warnings | undefined;
  #auditId: string | undefined;
  #annotations: Map<string, string> | undefined;

  constructor(incoming: Incoming, outgoing: Outgoing, receivedAt: number, upgrade?: Upgrade) {
    this.incoming = incoming;
    this.upgrade = upgrade;
    this.outgoing = outgoing;
    this.receivedAt = receivedAt;
    this.userAgent = incoming.headers['user-agent'] ?? '';
    this.ending = new Ending(outgoing);
    this.noticed = noticedIn(incoming.rawHeaders);
    this.info = identify(incoming.method ?? 'GET', incoming.url ?? '/');
  }

  /** By which an audit trail knows the request, and its answer tells it: the client's own, or a new one. */
  get auditId(): string {
    this.#auditId ??= this.header('audit-id')?.slice(0, 64) || randomUUID();
    return this.#auditId;
  }

  /** What was found out about the request, for its trail. */
  get annotations(): Map<string, string> {
    this.#annotations ??= new Map();
    return this.#annotations;
  }

  get query(): Query {
    return this.info.query;
  }

  /** The header's only or first value. */
  header(name: string): string | undefined {
    const value = this.incoming.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** Whether JSON is laid out for people: when `pretty` says so, or for browsers and curl unless it says no. */
  get isPretty(): boolean {
    const { query } = this.info;
    const asked = query === Query.empty ? undefined : query.text('pretty');
    if (asked !== undefined) return truths.includes(asked);
    return /^(?:curl|Wget|Mozilla\/5\.0)/.test(this.userAgent);
  }

  /** Settles the form of the answer. @throws 406 */
  negotiate(offer: Offer): void {
    this.representation = negotiate(this.header('accept'), offer);
  }

  /** What is said in `Warning` headers. */
  get warnings(): readonly string[] {
    return this.#warnings?.texts ?? noWarnings;
  }

  /** Sends a `Warning: 299` header. */
  warn(text: string): void {
    this.#warnings ??= new Warnings();
    this.#warnings.add(text);
  }
}

type End = () => void;

/** The ends of the exchanges on a session that are still open. */
const openOn = new WeakMap<ServerHttp2Session, Set<End>>();

function beginOn(session: ServerHttp2Session): Set<End> {
  const open = new Set<End>();
  openOn.set(session, open);
  session.once('close', () => endOn(session));
  return open;
}

/** Its connection is gone: whatever the session says of that, nothing more comes of its exchanges. */
export function endOn(session: ServerHttp2Session): void {
  for (const end of [...(openOn.get(session) ?? [])]) end();
}

/**
 * The end of one exchange, however it comes about: answered, given up by the client, or lost with its stream, session
 * or socket. Over HTTP/2 node's response does not always tell of it (never of a HEAD that was not answered yet, and late
 * comers hear nothing), so the stream and its session are asked as well.
 */
export class Ending {
  isOver = false;
  readonly #waiting: End[] = [];

  constructor(outgoing: ServerResponse | Http2ServerResponse) {
    let open: Set<End> | undefined;
    const end = () => {
      if (this.isOver) return;
      this.isOver = true;
      open?.delete(end);
      for (const act of this.#waiting) act();
    };
    outgoing.on('close', end);
    if (!('stream' in outgoing)) return;
    const { stream } = outgoing;
    stream.once('close', end);
    const session = stream.session as ServerHttp2Session | undefined;
    if (stream.destroyed || !session || session.destroyed) queueMicrotask(end);
    else open = (openOn.get(session) ?? beginOn(session)).add(end);
  }

  /** Calls back once, when the exchange is over; soon where it is over already. */
  whenOver(act: End): void {
    if (this.isOver) queueMicrotask(act);
    else this.#waiting.push(act);
  }
}
