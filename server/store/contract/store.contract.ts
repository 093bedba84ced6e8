import { describe } from 'vitest';
import type { MakeStore } from '../store.fixture.ts';
import { compactionContract } from './compaction.contract.ts';
import { contentionContract } from './contention.contract.ts';
import { historyContract } from './history.contract.ts';
import { listContract } from './list.contract.ts';
import { modelContract } from './model.contract.ts';
import { watchContract } from './watch.contract.ts';
import { writeContract } from './write.contract.ts';

/** Holds every promise of `Store` against an implementation. @param runs of random operations; fewer where each is slow */
export function storeContract(name: string, makeStore: MakeStore, runs = 150): void {
  describe(name, () => {
    describe('writes and reads', () => writeContract(makeStore));
    describe('updates under contention', () => contentionContract(makeStore));
    describe('lists', () => listContract(makeStore));
    describe('history', () => historyContract(makeStore));
    describe('watches', () => watchContract(makeStore));
    describe('compaction', () => compactionContract(makeStore));
    describe('against a naive model', () => modelContract(makeStore, runs));
  });
}
