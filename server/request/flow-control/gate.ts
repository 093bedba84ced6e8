import type { Exchange } from '../exchange.ts';
import type { RequestInfo } from '../identify.ts';

/** Lets a request in, which gives back what it took when it has been answered, or turns it away. */
export interface Gate {
  /**
   * A promise where the request has to wait.
   * @returns what is to be called once it is answered; `full` for a request that is turned away
   */
  enter(exchange: Exchange): Entry | Promise<Entry>;
}

/** Says when a request that has arrived may begin. */
export interface Pacer {
  /** Undefined: at once. */
  next(info: RequestInfo): Promise<void> | undefined;
}

export type Entry = (() => void) | 'full';

export const nothingTaken = () => {};

const connecting: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** What goes on for as long as somebody wants it. */
export const isLongRunning = ({ info }: Exchange): boolean => info.verb === 'watch' || isConnection(info);

/** As `isLongRunning`, but for watches, which have done most of their work when they begin. */
export const isConnection = ({ verb, subresource }: Pick<RequestInfo, 'verb' | 'subresource'>): boolean =>
  verb === 'proxy' || connecting.has(subresource);
