import { Readable, Writable } from 'node:stream';
import type { WebSocket } from 'ws';

/** Says, as a channel of its own in v5, that the channel named in its only byte gets nothing more. */
const closing = 255;
/** Bytes that wait for the reader of a channel before the socket is read no further. */
const mostWaiting = 1024 * 1024;

/** A WebSocket whose messages say in their first byte which of several streams they belong to. */
export class ChannelSocket {
  readonly #socket: WebSocket;
  readonly #inputs = new Map<number, Readable>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.binaryType = 'nodebuffer';
    socket.on('message', (message: Buffer) => this.#take(message));
    socket.on('close', () => {
      for (const input of this.#inputs.values()) input.push(null);
    });
    socket.on('error', () => socket.terminate());
  }

  /** What the client sends on a channel. Other channels are not listened to. */
  input(channel: number): Readable {
    const input = new Readable({ highWaterMark: mostWaiting, read: () => this.#socket.resume() });
    this.#inputs.set(channel, input);
    return input;
  }

  output(channel: number): Writable {
    const socket = this.#socket;
    return new Writable({
      write(chunk: Buffer, _encoding, callback) {
        if (socket.readyState !== socket.OPEN) return callback(new Error('the client has gone'));
        socket.send(Buffer.concat([Buffer.of(channel), chunk]), callback);
      },
    }).on('error', () => {});
  }

  #take(message: Buffer): void {
    const [channel = 0] = message;
    if (channel === closing) return void this.#inputs.get(message[1] ?? closing)?.push(null);
    const input = this.#inputs.get(channel);
    // Older clients begin with empty messages, which are no end.
    if (message.length > 1 && input?.push(message.subarray(1)) === false) this.#socket.pause();
  }
}
