import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { Request, Side } from '../load.ts';

/** Where a server is, and what shall be said to it each time. */
export type Place = Pick<Side, 'url' | 'headers'>;

const headEnd = '\r\n\r\n';
const lastChunk = '\r\n0\r\n\r\n';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * A connection that asks one thing at a time and spends next to nothing on it: many of them fit beside the server that
 * they are to keep busy.
 */
export class Line {
  readonly #socket: TLSSocket;
  readonly #headers: string;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes of the answer with its head; undefined while that is not known, infinite where the end must be seen. */
  #wanted: number | undefined;
  #answered: ((answer: Answer) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(socket: TLSSocket, { headers }: Place) {
    this.#socket = socket;
    this.#headers = Object.entries({ host: 'bench', ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#failed?.(error));
    socket.on('close', () => this.#failed?.(new Error('the connection was closed')));
  }

  static async open(place: Place): Promise<Line> {
    const { hostname, port } = new URL(place.url);
    const options = { rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] };
    const socket = connect({ host: hostname, port: Number(port), ...options });
    await once(socket, 'secureConnect');
    return new Line(socket, place);
  }

  static many(place: Place, count: number): Promise<Line[]> {
    return Promise.all(Array.from({ length: count }, () => Line.open(place)));
  }

  /** @throws Error for an answer that is no success, and where none comes */
  async ask(request: Request): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#answered = resolve;
    this.#failed = reject;
    this.#socket.write(this.#written(request));
    const { status, body } = await promise;
    if (status > 299) throw new Error(`${request.method} ${request.path}: ${status} ${body.slice(0, 300)}`);
    return body;
  }

  /** Asks for what never ends, and calls back with each piece of it. */
  follow(path: string, each: (chunk: Buffer) => void): void {
    this.#socket.removeAllListeners('data');
    this.#socket.on('data', each);
    this.#socket.write(this.#written({ method: 'GET', path }));
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #written({ method, path, body = '', type = 'application/json' }: Request): string {
    const content = body && `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    return `${method} ${path} HTTP/1.1\r\n${this.#headers}${content}\r\n${body}`;
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#wanted ??= wantedOf(chunk);
    const isWhole =
      this.#wanted === Number.POSITIVE_INFINITY
        ? chunk.subarray(-lastChunk.length).equals(Buffer.from(lastChunk))
        : this.#size >= (this.#wanted ?? Number.POSITIVE_INFINITY);
    if (!isWhole) return;
    const text = Buffer.concat(this.#chunks).toString();
    this.#chunks = [];
    this.#size = 0;
    this.#wanted = undefined;
    this.#answered?.({ status: Number(text.slice(9, 12)), body: text.slice(text.indexOf(headEnd) + headEnd.length) });
  }
}

/** @param first of an answer, with its whole head */
function wantedOf(first: Buffer): number {
  const length = first.indexOf(headEnd) + headEnd.length;
  const announced = /\r\ncontent-length: *(\d+)/i.exec(first.toString('latin1', 0, length))?.[1];
  return announced === undefined ? Number.POSITIVE_INFINITY : length + Number(announced);
}
