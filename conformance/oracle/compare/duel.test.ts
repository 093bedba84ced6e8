import { expect, it } from 'vitest';
import type { Played } from '../play/play.ts';
import { lagBetween } from './duel.ts';

/** A play whose steps were answered so many seconds after it began. */
const played = (begun: number, ...seconds: readonly number[]): Played => ({
  own: 'tabc00001',
  begun,
  sent: [],
  observations: seconds.map((after) => ({
    step: { id: 's', what: 'get', method: 'GET', path: '/' },
    at: begun + after * 1000,
    ...{ status: 200, headers: {}, warnings: [], bytes: Buffer.alloc(0) },
  })),
});

it('knows how far one play was behind the other, even if it caught up', () => {
  expect(lagBetween(played(0, 1, 2, 3), played(500_000, 1, 2, 3))).toBe(0);
  expect(lagBetween(played(0, 1, 40, 60), played(500_000, 1, 2, 60))).toBe(38);
});
