import { ExpiringCache } from '../base/caches/expiring-cache.ts';
import type { Clock } from '../base/time/clock.ts';
import { digestOf } from './digest.ts';

const rememberMs = 5 * 60_000;
const mostRemembered = 4096;

/**
 * What tokens say, by one way of verifying them: it is asked once for each and remembered for a while. Undefined for a
 * token of somebody else. Neither that is remembered nor that one was refused.
 */
export function verifiedTokens<V extends object>(
  clock: Clock,
  verify: (token: string) => Promise<V | undefined>,
): (token: string) => Promise<V | undefined> {
  const known = new ExpiringCache<V>(mostRemembered, clock);
  return async (token) => {
    const digest = digestOf(token);
    const before = known.get(digest);
    if (before) return before;
    const fresh = await verify(token);
    if (fresh) known.set(digest, fresh, rememberMs);
    return fresh;
  };
}
