import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { Cancel, Timers } from '../../base/time/timers.ts';

/**
 * gRPC over Node's own HTTP/2, as far as etcd needs it: calls with one answer, and streams. A handful of messages is
 * used, so that with a library most of what is installed and loaded would be for what nobody asks for.
 */
export class GrpcError extends Error {
  /** See `grpcCodes`. */
  readonly code: number;
  /** Whether the call may have been carried out all the same. */
  readonly uncertain: boolean;

  constructor(code: number, message: string, uncertain = false) {
    super(message);
    this.code = code;
    this.uncertain = uncertain;
  }
}

/** Codes of failure that mean something here. */
export const grpcCodes = {
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unavailable: 14,
} as const;

export interface Credentials {
  /** PEM; missing: the authorities that the system knows. */
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** Milliseconds. */
interface Deadlines {
  /** In which nothing comes. */
  readonly silence: number;
  /** In which the answer has come. */
  readonly whole: number;
}

/** Milliseconds between two signs of life that are asked for, and for a connection or a sign to come. */
const patience = { ping: 5000, answer: 5000 };

/** Bytes that may be on their way to us before we have read them: of one stream, and of all. */
const window = { stream: 4 * 1024 * 1024, session: 16 * 1024 * 1024 };
/** Bytes of one message at most. */
const largestMessage = 512 * 1024 * 1024;

/** One connection to one server. It ends by itself when the other side does not answer any more. */
export class GrpcSession {
  readonly #session: ClientHttp2Session;
  readonly #timers: Timers;
  readonly #cancels: Cancel[] = [];
  /** Resolves once it can be used. @throws GrpcError */
  readonly ready: Promise<void>;

  constructor(url: string, credentials: Credentials, timers: Timers, ended: () => void) {
    this.#timers = timers;
    this.#session = connect(url, {
      ...credentials,
      allowPartialTrustChain: credentials.ca !== undefined,
      ALPNProtocols: ['h2'],
      maxSessionMemory: 1024,
      settings: { enablePush: false, initialWindowSize: window.stream },
    });
    this.ready = this.#opened(url);
    this.ready.catch(() => {});
    this.#session.once('close', () => {
      for (const cancel of this.#cancels) cancel();
      ended();
    });
  }

  /** One answer to one message. @throws GrpcError */
  call(path: string, message: Buffer, deadlines: Deadlines): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const stream = this.#open(path, { 'grpc-timeout': `${Math.max(1, Math.ceil(deadlines.whole))}m` });
    let answer: Buffer | undefined;
    const late = this.#limited(stream, deadlines, reject);
    receive(stream, {
      message: (bytes) => {
        answer = bytes;
      },
      end: (error) => {
        late();
        if (error) reject(error);
        else if (answer) resolve(answer);
        else reject(new GrpcError(grpcCodes.unknown, 'the answer is missing', true));
      },
    });
    stream.end(framed(message));
    return promise;
  }

  /** Ends a call that is silent for too long, or not over in time. @returns what is to be called once it is over */
  #limited(stream: ClientHttp2Stream, { silence, whole }: Deadlines, reject: (error: GrpcError) => void): Cancel {
    const within = (limit: number) =>
      this.#timers.after(limit, () => {
        reject(new GrpcError(grpcCodes.deadlineExceeded, `no answer within ${Math.round(limit)} ms`, true));
        stream.close(constants.NGHTTP2_CANCEL);
      });
    let silent = within(silence);
    if (whole <= silence) return silent;
    const end = within(whole);
    stream.on('data', () => {
      silent();
      silent = within(silence);
    });
    return () => {
      silent();
      end();
    };
  }

  /** A stream of messages in both directions. `end` is called once, also when the member hears nothing of the others. */
  stream(path: string, listener: StreamListener): { send(message: Buffer): void; close(): void } {
    const stream = this.#open(path, { hasleader: 'true' });
    receive(stream, listener);
    return {
      send: (message) => void stream.write(framed(message)),
      close: () => stream.close(constants.NGHTTP2_CANCEL),
    };
  }

  /** Ends once the calls are over that were made. */
  retire(): void {
    this.#session.close();
  }

  close(): void {
    this.#session.destroy();
  }

  async #opened(url: string): Promise<void> {
    const session = this.#session;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (why: string) => {
      session.destroy();
      reject(new GrpcError(grpcCodes.unavailable, `${url}: ${why}`));
    };
    const late = this.#timers.after(patience.answer, () => fail(`no connection within ${patience.answer} ms`));
    session.on('error', (error: Error) => fail(error.message));
    session.once('close', () => fail('the connection was closed'));
    session.once('connect', () => {
      session.setLocalWindowSize(window.session);
      this.#cancels.push(this.#timers.every(patience.ping, () => this.#ping()));
      resolve();
    });
    return promise.finally(late);
  }

  #open(path: string, more: Readonly<Record<string, string>>): ClientHttp2Stream {
    try {
      return this.#session.request({ ...headers, ':path': path, ...more }, { endStream: false });
    } catch (error) {
      throw new GrpcError(grpcCodes.unavailable, (error as Error).message);
    }
  }

  #ping(): void {
    const session = this.#session;
    const dead = this.#timers.after(patience.answer, () => session.destroy());
    try {
      session.ping((error) => {
        dead();
        if (error) session.destroy();
      });
    } catch {
      dead();
    }
  }
}

const headers = {
  ':method': 'POST',
  'content-type': 'application/grpc',
  te: 'trailers',
  'user-agent': 'touchstone',
} as const;

export interface StreamListener {
  message(bytes: Buffer): void;
  /** @param error missing when the server ended the call in good order */
  end(error: GrpcError | undefined): void;
}

const prefixLength = 5;

/** A message as it travels: not compressed, its length, the bytes. */
function framed(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(prefixLength + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, prefixLength);
  return frame;
}

/** Puts messages together from chunks, and ends once with what the server said of the call. */
function receive(stream: ClientHttp2Stream, listener: StreamListener): void {
  let buffered: Buffer[] = [];
  let size = 0;
  let status: GrpcError | undefined | null = null;
  const failed = (message: string) => new GrpcError(grpcCodes.unavailable, message, true);
  const note = (fields: Readonly<Record<string, unknown>>) => {
    if (fields['grpc-status'] !== undefined) status = statusIn(fields);
    else if (fields[':status'] !== undefined && fields[':status'] !== 200) status = failed(`HTTP ${fields[':status']}`);
  };
  stream.on('response', note);
  stream.on('trailers', note);
  stream.on('data', (chunk: Buffer) => {
    buffered.push(chunk);
    size += chunk.length;
    if (size < prefixLength || size < lengthOf(buffered) + prefixLength) return;
    let bytes = buffered.length === 1 ? chunk : Buffer.concat(buffered);
    while (bytes.length >= prefixLength) {
      const end = prefixLength + bytes.readUInt32BE(1);
      if (end > largestMessage) stream.close(constants.NGHTTP2_CANCEL);
      if (bytes.length < end) break;
      listener.message(bytes.subarray(prefixLength, end));
      bytes = bytes.subarray(end);
    }
    buffered = bytes.length > 0 ? [bytes] : [];
    size = bytes.length;
  });
  stream.on('error', (error) => {
    status ??= failed(error.message);
  });
  stream.once('close', () => listener.end(status === null ? failed('the connection was lost') : status));
}

/** Of the message that begins with these chunks. */
function lengthOf(chunks: readonly Buffer[]): number {
  const [first] = chunks;
  return (first && first.length >= prefixLength ? first : Buffer.concat(chunks)).readUInt32BE(1);
}

function statusIn(fields: Readonly<Record<string, unknown>>): GrpcError | undefined {
  const code = Number(fields['grpc-status']);
  if (code === 0) return undefined;
  const text = String(fields['grpc-message'] ?? '');
  // A member that lost its leader or its patience may have passed on what it was asked.
  const uncertain = ([grpcCodes.unknown, grpcCodes.deadlineExceeded, grpcCodes.unavailable] as number[]).includes(code);
  try {
    return new GrpcError(code, decodeURIComponent(text), uncertain);
  } catch {
    return new GrpcError(code, text, uncertain);
  }
}
