import { connect, createServer, type Socket } from 'node:net';
import { resetSocket } from '../../../fixtures/reset-socket.ts';

/** Stands before a server and passes on bytes, until it is told to cut or to freeze what runs through it. */
export interface Relay {
  readonly port: number;
  /** Resets every connection. */
  readonly cut: () => void;
  /** The connections of now carry nothing any more, and do not end; new ones do. */
  readonly freeze: () => void;
  /** The next connections are reset as soon as they come. */
  readonly refuse: (count: number) => void;
  /** When each was, on the clock of `performance`. */
  readonly refusals: () => readonly number[];
  readonly stop: () => Promise<void>;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** @param target the port on this machine that is relayed to */
export async function startRelay(target: number): Promise<Relay> {
  const pairs = new Set<Pair>();
  const refusals: number[] = [];
  let left = 0;
  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (left === 0) return pass(near, target, pairs);
    left -= 1;
    refusals.push(performance.now());
    resetSocket(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    cut: () => cut(pairs),
    freeze() {
      for (const pair of pairs) part(pair);
    },
    refuse(count) {
      left = count;
    },
    refusals: () => refusals,
    stop: () =>
      new Promise((resolve) => {
        cut(pairs);
        server.close(() => resolve());
      }),
  };
}

function pass(near: Socket, target: number, pairs: Set<Pair>): void {
  const pair = { near, far: connect(target, '127.0.0.1') };
  pairs.add(pair);
  near.once('close', () => pairs.delete(pair));
  join(pair);
}

function cut(pairs: ReadonlySet<Pair>): void {
  for (const { near, far } of pairs) {
    resetSocket(near);
    far.destroy();
  }
}

function join({ near, far }: Pair): void {
  far.on('error', () => resetSocket(near));
  near.setNoDelay(true);
  far.setNoDelay(true);
  near.pipe(far);
  far.pipe(near);
  near.once('close', () => far.destroy());
  far.once('close', () => near.destroySoon());
}

function part({ near, far }: Pair): void {
  far.removeAllListeners('close');
  near.unpipe(far);
  far.unpipe(near);
  for (const socket of [near, far]) socket.pause();
}
