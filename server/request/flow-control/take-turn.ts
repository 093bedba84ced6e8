import type { Exchange } from '../exchange.ts';
import { type Answer, plainText } from '../respond.ts';
import type { RequestServices } from '../services.ts';
import type { Stage } from '../stage.ts';
import type { Entry } from './gate.ts';
import { hasteOf } from './pace.ts';

/** Waits until there is room for the request, or turns it away. What it takes is given back once it was answered. */
export const takeTurn: Stage = (exchange, services) => {
  const turn = services.pace.next(hasteOf(exchange.info));
  return turn ? turn.then(() => enter(exchange, services)) : enter(exchange, services);
};

function enter(exchange: Exchange, { gate, pace }: RequestServices): Answer | undefined | Promise<Answer | undefined> {
  const entry = gate.enter(exchange);
  if (!(entry instanceof Promise)) return begin(exchange, entry);
  return entry.then(async (settled) => {
    const answer = begin(exchange, settled);
    // One that ends lets in the next, and so on: others must have their turn between them.
    await pace.next(hasteOf(exchange.info));
    return answer;
  });
}

function begin(exchange: Exchange, entry: Entry): Answer | undefined {
  if (entry === 'full') return tooMany;
  exchange.leaveGate = entry;
  return undefined;
}

const tooMany: Answer = {
  ...plainText(429, 'Too many requests, please try again later.\n'),
  headers: { 'retry-after': '1', 'x-content-type-options': 'nosniff' },
};
