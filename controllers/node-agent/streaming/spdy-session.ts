import { Duplex } from 'node:stream';
import { dataFrame, type Frame, FrameReader, pingFrame, replyFrame, resetFrame } from './spdy-frames.ts';
import { HeaderBlocks, type Headers } from './spdy-header-block.ts';

/** One of the streams that a client has opened. */
export interface SpdyStream extends Duplex {
  readonly headers: Headers;
}

/** Streams that may be open at once on one connection. */
const mostStreams = 1000;
/** Bytes of one stream that wait for their reader before the whole connection is read no further. */
const mostWaiting = 1024 * 1024;
const dataAtOnce = 64 * 1024;

/**
 * The serving side of a SPDY/3.1 connection. Windows are neither kept nor asked for: the clients of the API do not know
 * them, and would stall a server that did.
 */
export class SpdySession {
  readonly #wire: Duplex;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #blocks = new HeaderBlocks();
  readonly #streams = new Map<number, Stream>();

  constructor(wire: Duplex, onStream: (stream: SpdyStream) => void) {
    // Each stream may wait for the wire.
    this.#wire = wire.setMaxListeners(0);
    this.#onStream = onStream;
  }

  /** Reads until the client has gone. Resolves then; every stream has ended. Never throws. */
  async run(): Promise<void> {
    const reader = new FrameReader();
    try {
      for await (const bytes of this.#wire) for (const frame of reader.read(bytes)) await this.#take(frame);
    } catch {
      // What is no SPDY ends like a connection that broke: nobody is left to be told.
    } finally {
      this.#wire.destroy();
      for (const stream of this.#streams.values()) stream.cut();
      this.#blocks.close();
    }
  }

  /** Ends the connection once all has been sent. */
  end(): void {
    this.#wire.end();
  }

  async #take(frame: Frame): Promise<void> {
    if (frame.type === 'open') return this.#open(frame);
    if (frame.type === 'ping') return this.#send([pingFrame(frame.id)]);
    // Blocks build on each other, so that even one that says nothing to us has to be read.
    if (frame.type === 'headers') await this.#blocks.read(frame.headers);
    if (frame.type === 'leave' || frame.type === 'other') return;
    const stream = this.#streams.get(frame.stream);
    if (!stream) return;
    if (frame.type === 'reset') {
      this.#streams.delete(frame.stream);
      return stream.cut();
    }
    if (frame.type === 'data') await stream.receive(frame.data);
    if (frame.last) stream.push(null);
  }

  async #open({ stream: id, last, headers: block }: Extract<Frame, { type: 'open' }>): Promise<void> {
    const headers = await this.#blocks.read(block);
    if (this.#streams.size >= mostStreams || this.#streams.has(id)) return this.#send([resetFrame(id, 3)]);
    const stream = new Stream(id, headers, (frames) => this.#send(frames));
    stream.once('close', () => this.#streams.delete(id));
    this.#streams.set(id, stream);
    await this.#send([replyFrame(id, await this.#blocks.write(new Map()))]);
    if (last) stream.push(null);
    this.#onStream(stream);
  }

  async #send(frames: readonly Buffer[]): Promise<void> {
    if (!this.#wire.writable) throw new Error('the connection has ended');
    let room = true;
    for (const frame of frames) room = this.#wire.write(frame);
    if (!room) await drained(this.#wire);
  }
}

/** Resolves when there is room again, or nobody left to write to. */
const drained = (wire: Duplex): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      wire.off('drain', done).off('close', done);
      resolve();
    };
    wire.on('drain', done).on('close', done);
  });

type Send = (frames: readonly Buffer[]) => Promise<void>;

class Stream extends Duplex implements SpdyStream {
  readonly headers: Headers;
  readonly #id: number;
  readonly #send: Send;
  #room: (() => void) | undefined;

  constructor(id: number, headers: Headers, send: Send) {
    super({ allowHalfOpen: true });
    this.headers = headers;
    this.#id = id;
    this.#send = send;
    // A connection that breaks ends all its streams; who uses one sees its end.
    this.on('error', () => {});
  }

  /** Takes what came. Resolves when there is room for more. */
  async receive(data: Buffer): Promise<void> {
    if (this.destroyed || this.readableEnded) return;
    this.push(data);
    if (this.readableLength < mostWaiting) return;
    await new Promise<void>((resolve) => {
      this.#room = resolve;
    });
  }

  /** The client will neither send nor read any more. */
  cut(): void {
    this.push(null);
    this.destroy();
  }

  override _read(): void {
    this.#room?.();
    this.#room = undefined;
  }

  override _write(chunk: Buffer, _encoding: string, callback: (error?: Error | null) => void): void {
    this.#sendAll(chunk).then(() => callback(), callback);
  }

  async #sendAll(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += dataAtOnce)
      await this.#send(dataFrame(this.#id, chunk.subarray(at, at + dataAtOnce)));
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#send(dataFrame(this.#id, Buffer.alloc(0), true)).then(() => callback(), callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#room?.();
    this.#room = undefined;
    callback(error);
  }
}
