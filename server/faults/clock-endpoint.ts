import { badRequest, methodNotAllowed } from '../base/status-error.ts';
import type { MovableClock } from '../base/time/movable-clock.ts';
import type { Answer } from '../request/answer/respond.ts';
import { readBody } from '../request/body.ts';
import type { PathHandler } from '../request/services.ts';

/** Where time is moved over HTTP. */
export const clockPath = '/touchstone/clock';

/**
 * The server's time over HTTP, for every language: GET tells it, POST moves it by `{"advance": "1h30m"}`, or makes it wrong by
 * `{"skew": "-5m"}`. Answers JSON, durations in milliseconds, once what became due has been begun.
 */
export const clockEndpoint =
  (clock: MovableClock): PathHandler =>
  async (exchange) => {
    const { method } = exchange.info;
    if (method === 'POST') await move(clock, (await readBody(exchange)).toString());
    else if (method !== 'GET') throw methodNotAllowed();
    return told(clock);
  };

const told = (clock: MovableClock): Answer => ({
  code: 200,
  contentType: 'application/json',
  body: `${JSON.stringify({ now: new Date(clock.now()).toISOString(), advanced: clock.advanced, skew: clock.skew })}\n`,
});

/** @throws 400 */
async function move(clock: MovableClock, text: string): Promise<void> {
  try {
    const { advance, skew, ...rest } = JSON.parse(text);
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw new RangeError(`unknown field ${JSON.stringify(unknown)}: advance or skew`);
    if (advance === undefined && skew === undefined) throw new RangeError('say advance or skew');
    if (skew !== undefined) clock.skewTo(skew);
    if (advance !== undefined) await clock.advance(advance);
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError)
      throw badRequest(error.message);
    throw error;
  }
}
