import { statusAnswer } from '../../base/status-error.ts';
import { pause, type Timers } from '../../base/timers.ts';
import { CompactedError, FutureRevisionError, StorageError, UnavailableError } from '../store.ts';
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

export interface EtcdClientOptions {
  /** URLs of members of one cluster. */
  readonly servers: readonly string[];
  /** Asked for at each connection; missing: there are none. */
  readonly credentials?: () => Credentials;
  readonly timers: Timers;
  /** Milliseconds, from any point. */
  readonly now: () => number;
}

/** What a transaction came to. */
export interface TxnOutcome extends Partial<TxnResponse> {
  /** It was sent more than once, because an answer did not come: an earlier one may have been carried out. */
  readonly repeated: boolean;
}

/** Milliseconds: for one call with all its repetitions, for one answer, and between two tries. */
const patience = { call: 15_000, answer: 5000, retry: 100 };

/** Whole key space. */
export const everything = { key: Buffer.from([0]), rangeEnd: Buffer.from([0]) };

/** etcd's errors come with texts; these cannot be told apart by code. */
const compactedText = 'compacted';
const leaseText = 'requested lease not found';
const deniedText = 'permission denied';
const leaseGrantedText = 'lease already exists';
/** Of a member that has no vote yet, or whose leader is about to hand over: what was asked was not begun. */
const notBegun = /rpc not supported for learner|raft proposal dropped/;
/** Of an etcd that was told to take smaller requests than others. */
const tooLarge = /request is too large|message larger than max/;

/** A lease is over, or was never there. */
export class LeaseMissingError extends Error {}

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

  constructor(options: EtcdClientOptions) {
    this.#options = options;
  }

  /** @throws CompactedError, FutureRevisionError for a revision that cannot be shown; UnavailableError */
  async range(request: RangeRequest): Promise<Partial<RangeResponse>> {
    const { bytes } = await this.#call('/etcdserverpb.KV/Range', rangeRequest.encode(request), request);
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
   * All changes from a revision on. `end` is called once: with a CompactedError when they are not held any more.
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
        message(bytes) {
          const response = watchResponse.decode(bytes);
          if (over) return;
          if (response.canceled) end(cancelled(response));
          else listener.response(response);
        },
        end: (error) => end(error ?? new UnavailableError('etcd ended a watch')),
      });
      close = () => stream.close();
      const create = { ...everything, startRevision: from, progressNotify: true, previous, fragment: true };
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

  async #call(
    path: string,
    message: Buffer,
    { revision = 0, again = 'always' }: CallOptions = {},
  ): Promise<{ bytes: Buffer; repeated: boolean }> {
    const { now, timers } = this.#options;
    const deadline = now() + patience.call;
    for (let repeated = false; ; await pause(timers, patience.retry)) {
      let session: GrpcSession | undefined;
      try {
        session = await this.#connected();
        const left = Math.max(1, Math.min(patience.answer, deadline - now()));
        return { bytes: await session.call(path, message, left), repeated };
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
      const anything = rangeRequest.encode({ key: Buffer.from('x'), serializable: true });
      const bytes = await session.call('/etcdserverpb.KV/Range', anything, patience.answer);
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
}

export interface WatchListener {
  response(response: Partial<WatchResponse>): void;
  end(error: Error): void;
}

/** Whether the same call may succeed later. */
const mayPass = ({ code, message }: GrpcError): boolean =>
  code === grpcCodes.unavailable ||
  code === grpcCodes.deadlineExceeded ||
  (code === grpcCodes.resourceExhausted && !message.includes('space') && !tooLarge.test(message)) ||
  (code === grpcCodes.unknown && !message.includes('auth'));

function worded(error: unknown, revision: number): unknown {
  if (!(error instanceof GrpcError)) return error;
  if (tooLarge.test(error.message)) return statusAnswer(500, error.message);
  if (error.code === grpcCodes.resourceExhausted) return new StorageError(error.message);
  if (error.message.includes(leaseText)) return new LeaseMissingError();
  if (error.message.includes(deniedText)) return new Error(`etcd: ${error.message}: its user needs the role root`);
  if (error.code !== grpcCodes.outOfRange) return new Error(`etcd: ${error.message}`);
  return error.message.includes(compactedText) ? new CompactedError(revision) : new FutureRevisionError(revision - 1);
}

const cancelled = ({ compactRevision, cancelReason }: Partial<WatchResponse>): Error =>
  compactRevision
    ? new CompactedError(compactRevision - 1)
    : new UnavailableError(`etcd ended a watch: ${cancelReason}`);
