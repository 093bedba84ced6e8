import { describe, expect, it } from 'vitest';
import { withoutEtcd } from '../../server/store/etcd/etcd-process.fixture.ts';
import { playRound } from './round.ts';

/** A round is long: servers start again and again. */
const timeout = 120_000;

describe('what clients see while things go wrong', () => {
  it('keeps all promises when a server with a data folder is killed', { timeout }, async () => {
    const { violations, writes } = await playRound({ venue: 'data-dir', seed: 4, faults: 3 });
    expect(violations).toEqual([]);
    expect(writes.done).toBeGreaterThan(10);
  });

  it.skipIf(withoutEtcd)('keeps all promises when servers, etcd and the lines between fail', { timeout }, async () => {
    const { violations, writes } = await playRound({ venue: 'etcd', seed: 8, faults: 5 });
    expect(violations).toEqual([]);
    expect(writes.done).toBeGreaterThan(10);
  });
});
