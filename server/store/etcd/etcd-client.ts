import { pause, type Timers } from '../../base/time/timers.ts';
import { CompactedError, UnavailableError } from '../store.ts';
import { Shared } from './freshness.ts';
import { type Credentials, GrpcError, GrpcSession, grpcCodes } from './grpc-session.ts';
import {
  compactionRequest,
  leaseGrantRequest,
  onlyHeader,
  type RangeRequest,
  type RangeResponse,
  rangeRequest,
  rangeResponse,
  type TxnRequest,
  type TxnResponse,
  txnRequest,
  txnResponse,
  type WatchResponse,
  watchRequest,
  watchResponse,
} from './messages.ts';
import { rangeOf } from './ranges.ts';
import { deniedText, leaseGrantedText, mayPass, notBegun, worded } from './refusals.ts';

export interface EtcdClientOptions {
  /** URLs of members of one cluster. */
  readonly servers: readonly string[];
  /** Asked for at each connection; missing: there are none. */
  readonly credentials?: () => Credentials;
  /** What all keys begin with that are used; missing: all may be. */
  readonly root?: string;
  readonly timers: Timers;
  /** Milliseconds, from any point. */
  readonly now: () => number;
}

/** What a transaction came to. */
export interface TxnOutcome extends Partial<TxnResponse> {
  /** It was sent more than once, because an answer did not come: an earlier one may have been carried out. */
  readonly repeated: boolean;
}

/**
 * Milliseconds: for one call with all its repetitions, for one answer, or for the whole of a large one that comes in parts,
 * and between two tries.
 */
const patience = { call: 15_000, answer: 5000, whole: 120_000, retry: 100 };

/** Whole key space. */
export const everything = { key: Buffer.from([0]), rangeEnd: Buffer.from([0]) };
/** Asked for what comes with each answer alone, and written where a change is to be told of. */
export const revisionKey = (root: string): Buffer => Buffer.from(`${root}touchstone/revision`);

/** No answer came to a call that is not sent again: it may have been carried out, or be so yet. */
export class UnansweredError extends UnavailableError {}

/** Whoever answers is of another cluster than the one of before. */
export class OtherEtcdError extends UnavailableError {}

/** Which calls are sent again: all, or none that a server may have had. */
type Again = 'always' | 'if never sent';

/** Speaks with a cluster of etcd, by whichever member answers. Calls are repeated until one does, or time is over. */
export class EtcdClient {
  readonly #options: EtcdClientOptions;
  #session: GrpcSession | undefined;
  /** That the session can be used. */
  #met: Promise<void> | undefined;
  /** The id of the cluster that was met first, and who was last seen to be of another. */
  #cluster: number | undefined;
  readonly #others = new Set<string>();
  #next = 0;
  #closed = false;
  #narrow = false;
  readonly #nudges: Shared<unknown>;
  readonly #revisionKey: Buffer;

  constructor(options: EtcdClientOptions) {
    this.#options = options;
    this.#revisionKey = revisionKey(options.root ?? '');
    const put = { key: this.#revisionKey, value: Buffer.alloc(0) };
    const nudge = () => this.txn({ compare: [], success: [{ put }], failure: [] });
    this.#nudges = new Shared(nudge, options.timers, options.now);
  }

  /** Whether only what is below the root may be watched, so that a watch is not told of each revision. */
  get isNarrow(): boolean {
    return this.#narrow;
  }

  /** Makes a change below the root, of which each watch is told that is told of all before it. @throws as `txn` */
  async nudge(): Promise<void> {
    await this.#nudges.now();
  }

  /** @throws CompactedError, FutureRevisionError for a revision that cannot be shown; UnavailableError */
  async range(request: RangeRequest): Promise<Partial<RangeResponse>> {
    const { revision = 0, rangeEnd, countOnly = false } = request;
    const options = { revision, isLarge: rangeEnd !== undefined && !countOnly };
    const { bytes } = await this.#call('/etcdserverpb.KV/Range', rangeRequest.encode(request), options);
    return rangeResponse.decode(bytes);
  }

  /**
   * @param again `if never sent` for what could be carried out twice
   * @throws UnavailableError, StorageError, LeaseMissingError; UnansweredError only if not sent again
   */
  async txn(request: TxnRequest, again: Again = 'always'): Promise<TxnOutcome> {
    const { bytes, repeated } = await this.#call('/etcdserverpb.KV/Txn', txnRequest.encode(request), { again });
    return { ...txnResponse.decode(bytes), repeated };
  }

  /** Forgets what only revisions below this one show. What is forgotten already is fine. */
  async compact(revision: number): Promise<void> {
    try {
      const request = { revision };
      onlyHeader.decode(
        (await this.#call('/etcdserverpb.KV/Compact', compactionRequest.encode(request), request)).bytes,
      );
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
    }
  }

  /** @param id of nobody else @param ttl seconds */
  async grantLease(id: number, ttl: number): Promise<void> {
    try {
      await this.#call('/etcdserverpb.Lease/LeaseGrant', leaseGrantRequest.encode({ id, ttl }));
    } catch (error) {
      // It was granted before, and the answer was lost.
      if (!(error as Error).message.includes(leaseGrantedText)) throw error;
    }
  }

  /**
   * All changes from a revision on; of what is below the root, where no more is allowed. `end` is called once: with a
   * CompactedError when they are not held any more.
   * @returns what ends it
   */
  watch(from: number, previous: boolean, listener: WatchListener): () => void {
    let close = () => {};
    let over = false;
    let session: GrpcSession | undefined;
    const end = (error: Error) => {
      if (over) return;
      over = true;
      close();
      // A member that cannot tell of changes is left for another; what it was asked already, it may answer.
      if (error instanceof GrpcError && session && session === this.#session) {
        this.#session = undefined;
        session.retire();
      }
      listener.end(error);
    };
    const begin = async () => {
      session = await this.#connected();
      if (over) return;
      const stream = session.stream('/etcdserverpb.Watch/Watch', {
        message: (bytes) => {
          const response = watchResponse.decode(bytes);
          if (over) return;
          if (response.canceled) end(this.#cancelled(response));
          else listener.response(response);
        },
        end: (error) => end(error ?? new UnavailableError('etcd ended a watch')),
      });
      close = () => stream.close();
      const range = this.#narrow ? rangeOf(this.#options.root ?? '') : everything;
      const create = { ...range, startRevision: from, progressNotify: true, previous, fragment: true };
      stream.send(watchRequest.encode({ create }));
    };
    begin().catch(end);
    return () => {
      over = true;
      close();
    };
  }

  close(): void {
    this.#closed = true;
    this.#session?.close();
  }

  #cancelled({ compactRevision, cancelReason }: Partial<WatchResponse>): Error {
    // The next one will ask for less.
    if (cancelReason?.includes(deniedText)) this.#narrow = true;
    return compactRevision
      ? new CompactedError(compactRevision - 1)
      : new UnavailableError(`etcd ended a watch: ${cancelReason}`);
  }

  async #call(
    path: string,
    message: Buffer,
    { revision = 0, again = 'always', isLarge = false }: CallOptions = {},
  ): Promise<{ bytes: Buffer; repeated: boolean }> {
    const { now, timers } = this.#options;
    const deadline = now() + patience.call;
    for (let repeated = false; ; await pause(timers, patience.retry)) {
      let session: GrpcSession | undefined;
      try {
        session = await this.#connected();
        const silence = Math.max(1, Math.min(patience.answer, deadline - now()));
        const whole = isLarge ? patience.whole : silence;
        return { bytes: await session.call(path, message, { silence, whole }), repeated };
      } catch (error) {
        if (!(error instanceof GrpcError) || !mayPass(error)) throw worded(error, revision);
        if (this.#closed || now() >= deadline) throw new UnavailableError(`etcd does not answer: ${error.message}`);
        const uncertain = error.uncertain && !notBegun.test(error.message);
        repeated ||= uncertain;
        // One that hangs, or that has lost its leader, is left for another.
        if (session && session === this.#session) this.#leave(session);
        if (uncertain && again !== 'always') throw new UnansweredError(`etcd did not answer: ${error.message}`);
      }
    }
  }

  #leave(session: GrpcSession): void {
    this.#session = undefined;
    session.close();
  }

  async #connected(): Promise<GrpcSession> {
    if (this.#closed) throw new UnavailableError('the store is closed');
    const { servers } = this.#options;
    let session = this.#session;
    if (!session) {
      const url = servers[this.#next++ % servers.length] ?? '';
      session = this.#open(url);
      this.#session = session;
      this.#met = this.#meet(session, url);
    }
    await this.#met;
    return session;
  }

  /** @throws GrpcError, also where credentials cannot be read, as while they are being renewed */
  #open(url: string): GrpcSession {
    const { credentials = () => ({}), timers } = this.#options;
    try {
      const session: GrpcSession = new GrpcSession(url, credentials(), timers, () => {
        if (this.#session === session) this.#session = undefined;
      });
      return session;
    } catch (error) {
      throw new GrpcError(grpcCodes.unavailable, `${url}: ${(error as Error).message}`);
    }
  }

  /** Another cluster has other objects, whatever its revision: nothing is written there. @throws GrpcError, OtherEtcdError */
  async #meet(session: GrpcSession, url: string): Promise<void> {
    try {
      await session.ready;
      const anything = rangeRequest.encode({ key: this.#revisionKey, serializable: true });
      const { answer } = patience;
      const bytes = await session.call('/etcdserverpb.KV/Range', anything, { silence: answer, whole: answer });
      this.#expectSame(url, rangeResponse.decode(bytes).header?.clusterId);
    } catch (error) {
      if (session === this.#session) this.#leave(session);
      // What is to be asked was not sent yet.
      throw error instanceof GrpcError ? new GrpcError(error.code, error.message) : error;
    }
  }

  #expectSame(url: string, cluster: number | undefined): void {
    this.#cluster ??= cluster;
    if (cluster === this.#cluster) return void this.#others.delete(url);
    const message = `${url} is another etcd than the one of before`;
    if (this.#others.add(url).size < new Set(this.#options.servers).size)
      throw new GrpcError(grpcCodes.unavailable, message);
    throw new OtherEtcdError(`${message}: this server has to be started anew`);
  }
}

interface CallOptions {
  /** What the call is about, for the error when it is out of range. */
  readonly revision?: number;
  readonly again?: Again;
  /** The answer may be so large that it takes a while to come. */
  readonly isLarge?: boolean;
}

export interface WatchListener {
  response(response: Partial<WatchResponse>): void;
  end(error: Error): void;
}
