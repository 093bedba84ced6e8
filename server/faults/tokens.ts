import { createHash } from 'node:crypto';
import type { Match } from './fault.ts';
import { type Asked, fits } from './match.ts';

/** Tokens that are remembered; the oldest are forgotten. */
const most = 10_000;

/** Which bearer tokens were used, and which of them are no longer to be good. Keeps no token, only their digests. */
export class UsedTokens {
  readonly #lastUse = new Map<string, Asked>();
  readonly #expired = new Set<string>();

  /** Notes a use. Whether the token is no longer good. */
  use(authorization: string | undefined, asked: Asked): boolean {
    if (!authorization?.startsWith('Bearer ')) return false;
    const digest = createHash('sha256').update(authorization).digest('base64');
    this.#lastUse.delete(digest);
    this.#lastUse.set(digest, asked);
    const [oldest = ''] = this.#lastUse.keys();
    if (this.#lastUse.size > most) this.#lastUse.delete(oldest);
    return this.#expired.has(digest);
  }

  /** Those last used by a request that matches are no longer good. */
  expire(match: Match | undefined): void {
    for (const [digest, asked] of this.#lastUse) if (fits(asked, match)) this.#expired.add(digest);
  }

  /** All are good again. */
  restore(): void {
    this.#expired.clear();
  }
}
