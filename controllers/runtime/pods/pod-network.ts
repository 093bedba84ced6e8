import type { Duplex } from 'node:stream';

/** Connects to a port at an address; undefined: how that is done is not known here. */
export type Way = (host: string, port: number) => Promise<Duplex> | undefined;

/** The ways to pods whose addresses lead nowhere from here: those of the nodes that this process has. */
export class PodNetwork {
  readonly #ways: Way[] = [];

  add(way: Way): void {
    this.#ways.push(way);
  }

  /** Rejects as an address does where nobody listens. */
  readonly connect: Way = (host, port) => {
    for (const way of this.#ways) {
      const connected = way(host, port);
      if (connected) return connected.catch(refused);
    }
    return undefined;
  };
}

function refused(cause: Error): never {
  throw Object.assign(new Error(cause.message, { cause }), { code: 'ECONNREFUSED' });
}
