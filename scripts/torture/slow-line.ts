import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What becomes of bytes on their way: they pass, come late, wait for good, or the line is cut. */
export type LineState = 'open' | 'slow' | 'silent' | 'cut';

/** Milliseconds that a slow line takes for a piece. */
const delay = 50;

/** A line between two parties that can be slowed and cut: a TCP proxy. */
export class SlowLine {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #state: LineState = 'open';

  private constructor(target: URL) {
    this.#server = createServer((near) => this.#join(near, connect(Number(target.port), target.hostname)));
  }

  static async to(target: string): Promise<SlowLine> {
    const line = new SlowLine(new URL(target));
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  become(state: LineState): void {
    this.#state = state;
    for (const pair of this.#pairs) {
      for (const socket of pair) {
        if (state === 'cut') socket.destroy();
        else if (state === 'silent') socket.pause();
        else socket.resume();
      }
    }
  }

  async close(): Promise<void> {
    this.become('cut');
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket, far: Socket): void {
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    for (const [from, to] of [pair, [far, near]] as const) {
      const late: Buffer[] = [];
      from.on('data', (bytes: Buffer) => {
        // What comes once the line is fast again must not overtake what is on its way.
        if (this.#state !== 'slow' && late.length === 0) to.write(bytes);
        else {
          late.push(bytes);
          setTimeout(() => to.write(late.shift() ?? ''), delay);
        }
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
    }
    if (this.#state === 'cut') near.destroy();
    if (this.#state === 'silent') for (const socket of pair) socket.pause();
  }
}
