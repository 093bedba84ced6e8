import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

/** Milliseconds between two looks. */
const between = 10_000;

/**
 * Sessions that ended, but whose connection did not: once nobody reads from it, nothing tells that its client has gone.
 * It has the time between two looks for what is still to be sent.
 */
export class LostSessions {
  readonly #sockets = new Map<ServerHttp2Session, Socket>();
  readonly #ended = new WeakSet<ServerHttp2Session>();
  readonly #timer = setInterval(() => this.#look(), between).unref();

  /** @param socket of the TCP connection that the session is on */
  follow(session: ServerHttp2Session, socket: Socket): void {
    this.#sockets.set(session, socket);
    socket.once('close', () => this.#sockets.delete(session));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    for (const [session, socket] of this.#sockets) {
      if (!session.destroyed) continue;
      if (this.#ended.has(session)) socket.destroy();
      else this.#ended.add(session);
    }
  }
}
