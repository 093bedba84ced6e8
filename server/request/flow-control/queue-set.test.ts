import { setImmediate as settled } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import { longestWait, QueueSet, type Rejection } from './queue-set.ts';
import { assuredSeats } from './shares.ts';
import { deal, flowHash } from './shuffle-shard.ts';

class Level {
  readonly timers = new ManualTimers();
  readonly set: QueueSet;
  /** Who came out of the queues, in order, and with what. */
  readonly out: string[] = [];
  readonly leaves = new Map<string, () => void>();

  constructor(seats: number, queues = 8, length = 5) {
    this.set = new QueueSet({ seats, queues, length }, this.timers);
  }

  come(name: string, hand: readonly number[], seats = 1): void {
    if (this.set.tryTake(seats)) {
      this.out.push(name);
      return;
    }
    void this.set
      .wait(seats, hand, (leave) => this.leaves.set(name, leave))
      .then((rejection: Rejection | undefined) => this.out.push(rejection ? `${name}: ${rejection}` : name));
  }
}

describe('seats', () => {
  it('are taken at once while there are any, and given on in turn', async () => {
    const level = new Level(2);
    for (const name of ['a', 'b', 'c', 'd']) level.come(name, [0]);
    await settled();
    expect(level.out).toEqual(['a', 'b']);
    expect([level.set.executing, level.set.waiting, level.set.seatsInUse]).toEqual([2, 2, 2]);
    level.set.release(1);
    level.set.release(1);
    await settled();
    expect(level.out).toEqual(['a', 'b', 'c', 'd']);
    level.set.release(1);
    level.set.release(1);
    expect([level.set.executing, level.set.waiting, level.set.seatsInUse]).toEqual([0, 0, 0]);
    expect(level.timers.waiting).toBe(0);
  });

  it('go round the queues, whatever their length', async () => {
    const level = new Level(1, 8, 50);
    level.come('first', [0]);
    for (let n = 0; n < 10; n++) level.come(`greedy ${n}`, [1]);
    level.come('modest 0', [2]);
    level.come('modest 1', [2]);
    for (let n = 0; n < 12; n++) {
      level.set.release(1);
      await settled();
    }
    expect(level.out.indexOf('modest 0')).toBeLessThan(4);
    expect(level.out.indexOf('modest 1')).toBeLessThan(6);
    expect(level.out.filter((name) => name.startsWith('greedy'))).toEqual(
      Array.from({ length: 10 }, (_, n) => `greedy ${n}`),
    );
  });

  it('that are many at a time count for as many turns', async () => {
    const level = new Level(4, 8, 50);
    level.come('first', [0], 4);
    for (let n = 0; n < 4; n++) level.come(`wide ${n}`, [1], 4);
    for (let n = 0; n < 4; n++) level.come(`slim ${n}`, [2], 1);
    level.set.release(4);
    await settled();
    level.set.release(4);
    await settled();
    expect(level.out.slice(0, 6)).toEqual(['first', 'wide 0', 'slim 0', 'slim 1', 'slim 2', 'slim 3']);
  });

  it('may be asked for in a larger number than there are', async () => {
    const level = new Level(2);
    level.come('wide', [0], 10);
    level.come('slim', [0]);
    await settled();
    expect(level.out).toEqual(['wide']);
    level.set.release(10);
    await settled();
    expect(level.out).toEqual(['wide', 'slim']);
  });

  it('become more while some wait for them', async () => {
    const level = new Level(1);
    for (const name of ['a', 'b', 'c']) level.come(name, [0]);
    level.set.setLimits({ seats: 3, queues: 8, length: 5 });
    await settled();
    expect(level.out).toEqual(['a', 'b', 'c']);
  });
});

describe('who cannot wait', () => {
  it('is turned away where there are no queues, and where its queue is full', async () => {
    const none = new Level(1, 0);
    none.come('a', []);
    none.come('b', []);
    const full = new Level(1, 4, 2);
    for (const name of ['a', 'b', 'c', 'd']) full.come(name, [3]);
    await settled();
    expect(none.out).toEqual(['a', 'b: concurrency-limit']);
    expect(full.out).toEqual(['a', 'd: queue-full']);
  });

  it('goes into the shortest queue of its hand', async () => {
    const level = new Level(1, 4, 2);
    for (const name of ['a', 'b', 'c']) level.come(name, [3]);
    level.come('other', [3, 1]);
    await settled();
    expect(level.out).toEqual(['a']);
    expect(level.set.waiting).toBe(3);
  });

  it('is turned away after a while, or when its client goes', async () => {
    const level = new Level(1);
    for (const name of ['a', 'b', 'c']) level.come(name, [0]);
    level.leaves.get('b')?.();
    level.timers.advance(longestWait);
    await settled();
    expect(level.out).toEqual(['a', 'b: cancelled', 'c: time-out']);
    level.set.release(1);
    expect([level.set.executing, level.set.waiting]).toEqual([0, 0]);
  });
});

describe('a hand of queues', () => {
  it('has different ones, as many as it should, the same each time', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 8 }),
        (schema, flow, queues, size) => {
          const hash = flowHash(schema, flow);
          const hand = deal(hash, queues, size);
          expect(new Set(hand).size).toBe(Math.min(size, queues));
          expect(hand.every((queue) => queue >= 0 && queue < queues)).toBe(true);
          expect(deal(hash, queues, size)).toEqual(hand);
        },
      ),
    );
  });

  it('is any of all, about as often', () => {
    const dealt = new Map<number, number>();
    for (let flow = 0; flow < 4000; flow++) {
      for (const queue of deal(flowHash('s', String(flow)), 16, 4)) dealt.set(queue, (dealt.get(queue) ?? 0) + 1);
    }
    expect(dealt.size).toBe(16);
    for (const times of dealt.values()) expect(Math.abs(times - 1000)).toBeLessThan(150);
  });

  it('of one flow and of another are rarely the same', () => {
    const hands = Array.from({ length: 200 }, (_, flow) => deal(flowHash('s', String(flow)), 64, 6).join());
    expect(new Set(hands).size).toBe(200);
  });
});

it('levels have seats by their shares, rounded up; exempt ones have none', () => {
  const level = (name: string, shares?: number) => ({
    kind: 'PriorityLevelConfiguration',
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1beta2',
    metadata: { name },
    spec: shares ? { type: 'Limited', limited: { assuredConcurrencyShares: shares } } : { type: 'Exempt' },
  });
  const seats = assuredSeats([level('exempt'), level('a', 100), level('b', 40), level('c', 5)], 600);
  expect([...seats]).toEqual([
    ['a', 414],
    ['b', 166],
    ['c', 21],
  ]);
});
