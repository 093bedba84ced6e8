import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { resetSocket } from '../../../fixtures/reset-socket.ts';

/** A line to an etcd, a TCP proxy, on which answers can be lost while questions still arrive. */
export class LossyLine {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #losesAnswers = false;

  private constructor(target: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      near.on('data', (bytes) => void far.write(bytes));
      far.on('data', (bytes) => void (this.#losesAnswers || near.write(bytes)));
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => {});
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
    });
  }

  static async to(target: string): Promise<LossyLine> {
    const line = new LossyLine(new URL(target));
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  loseAnswers(): void {
    this.#losesAnswers = true;
  }

  /** Breaks all connections, as a network does. New ones are as they should be. */
  break(): void {
    this.#losesAnswers = false;
    for (const socket of this.#sockets) resetSocket(socket);
  }

  async close(): Promise<void> {
    this.break();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
