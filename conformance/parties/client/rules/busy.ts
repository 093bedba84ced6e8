import { failure } from '../answers.ts';
import type { Whim } from '../context.ts';
import type { Seen } from '../scripted-server.ts';

/** Turns away so many requests that `meant` holds for. */
export function busy(times: number, meant: (seen: Seen) => boolean, code: number, seconds: number): Whim {
  let left = times;
  const headers = { 'retry-after': String(seconds) };
  return (seen) => {
    if (left === 0 || !meant(seen)) return undefined;
    left -= 1;
    return code === 429
      ? failure(429, 'TooManyRequests', 'too many requests, please try again later', headers)
      : failure(503, 'ServiceUnavailable', 'the server is starting', headers);
  };
}

/** A clock that ticks otherwise by so much, in milliseconds, still keeps the time it was told. */
export const tolerance = 50;
