import type { Incoming, Outgoing, Upgrade } from '../exchange.ts';

export type RequestListener = (incoming: Incoming, outgoing: Outgoing, upgrade?: Upgrade) => void;

/** Bounds on the head of a request, in whichever protocol it comes. */
export const maxHeaderBytes = 64 * 1024;
export const maxHeaderLines = 2000;
