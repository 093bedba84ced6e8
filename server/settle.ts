import { checkKinds } from '../mistyped.ts';
import { pause, type Timers } from './base/time/timers.ts';

export interface SettleOptions {
  /** Milliseconds without a write or a request that count as quiet; 100 unless given. */
  readonly quiet?: number;
  /** Milliseconds to wait at most; 10 000 unless given. */
  readonly timeout?: number;
}

/** What goes on in a server at a moment. */
export interface Activity {
  readonly revision: number;
  /** Requests being answered; watches do not count. */
  readonly requests: number;
  /** Requests answered or begun since the start, watches too. */
  readonly begun: number;
}

/** The server is still busy after the time that it was given. */
export class UnsettledError extends Error {}

const step = 10;

/**
 * Waits until nothing has been asked and nothing written for a while: controllers have done what there was to do. One that
 * waits by itself for longer than `quiet` (a back-off, a deadline) is not waited for.
 * @throws UnsettledError; TypeError for options that cannot be meant
 */
export async function settle(
  look: () => Promise<Activity>,
  timers: Timers,
  options: SettleOptions = {},
): Promise<void> {
  checkKinds(options, { quiet: 'a number', timeout: 'a number' });
  const { quiet = 100, timeout = 10_000 } = options;
  let last = await look();
  let silent = 0;
  for (let waited = 0; silent < quiet; waited += step) {
    if (waited >= timeout)
      throw new UnsettledError(
        `still busy after ${timeout} ms: ${last.requests} requests under way, revision ${last.revision}`,
      );
    await pause(timers, step);
    const now = await look();
    const same = now.revision === last.revision && now.begun === last.begun && now.requests === 0;
    silent = same ? silent + step : 0;
    last = now;
  }
}
