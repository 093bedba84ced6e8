import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { resetSocket } from '../../fixtures/reset-socket.ts';

/** Passes connections on, so that one over which TLS is spoken can be broken off in the ways of TCP. */
export class Relay {
  readonly #server: Server;
  /** The connections to the target, by the client's own port. */
  readonly #far = new Map<number, Socket>();
  readonly #open = new Set<Socket>();

  private constructor(target: number) {
    this.#server = createServer({ allowHalfOpen: true }, (near) => this.#join(near, target));
  }

  /** @param target a port of this machine */
  static async to(target: number): Promise<Relay> {
    const relay = new Relay(target);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The target sees the connection of a client reset. */
  reset(clientPort: number | undefined): void {
    const far = this.#far.get(clientPort ?? 0);
    if (far) resetSocket(far);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  #join(near: Socket, target: number): void {
    const { remotePort = 0 } = near;
    const far = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    this.#far.set(remotePort, far);
    near.pipe(far).pipe(near);
    const end = () => {
      near.destroy();
      far.destroy();
      if (this.#far.get(remotePort) === far) this.#far.delete(remotePort);
    };
    for (const socket of [near, far]) {
      this.#open.add(socket);
      socket.on('error', end).once('close', () => {
        this.#open.delete(socket);
        end();
      });
    }
  }
}
