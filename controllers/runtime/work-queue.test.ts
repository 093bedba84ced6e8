import { expect, test } from 'vitest';
import { FakeClock } from './fake-clock.fixture.ts';
import { WorkQueue } from './work-queue.ts';

const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

function setUp({
  concurrency = 1,
  work,
}: {
  concurrency?: number;
  work?: (key: string) => Promise<number | undefined>;
} = {}) {
  const clock = new FakeClock();
  const done: string[] = [];
  const queue = new WorkQueue({
    clock,
    concurrency,
    random: () => 0,
    work: async (key) => {
      done.push(key);
      return work?.(key);
    },
  });
  return { clock, queue, done };
}

test('nothing is worked on before the start', async () => {
  const { queue, done } = setUp();
  queue.add('a');
  await settle();
  expect(done).toEqual([]);
  queue.start();
  await queue.idle();
  expect(done).toEqual(['a']);
});

test('a key added many times before its turn is worked on once', async () => {
  const { queue, done } = setUp();
  for (let time = 0; time < 5; time += 1) queue.add('a');
  queue.start();
  await queue.idle();
  expect(done).toEqual(['a']);
});

test('a key added while it is worked on is worked on once more afterwards, never at the same time', async () => {
  let running = 0;
  let most = 0;
  const { queue, done } = setUp({
    concurrency: 4,
    work: async (key) => {
      running += 1;
      most = Math.max(most, running);
      if (done.length === 1) for (let time = 0; time < 3; time += 1) queue.add(key);
      await settle();
      running -= 1;
      return undefined;
    },
  });
  queue.add('a');
  queue.start();
  await queue.idle();
  expect(done).toEqual(['a', 'a']);
  expect(most).toBe(1);
});

test('different keys are worked on at once, up to the limit', async () => {
  let running = 0;
  let most = 0;
  const { queue, done } = setUp({
    concurrency: 3,
    work: async () => {
      running += 1;
      most = Math.max(most, running);
      await settle();
      running -= 1;
      return undefined;
    },
  });
  for (const key of 'abcdefgh') queue.add(key);
  queue.start();
  await queue.idle();
  expect(done.join('')).toBe('abcdefgh');
  expect(most).toBe(3);
});

test('work that asks to come back does so after the time it said', async () => {
  const { clock, queue, done } = setUp({ work: async () => (done.length === 1 ? 5_000 : undefined) });
  queue.add('a');
  queue.start();
  await queue.idle();
  clock.advance(4_999);
  await settle();
  expect(done).toHaveLength(1);
  clock.advance(1);
  await settle();
  expect(done).toHaveLength(2);
});

test('of two times to come back the earlier stands', async () => {
  const { clock, queue, done } = setUp();
  queue.start();
  queue.addAfter('a', 1_000);
  queue.addAfter('a', 5_000);
  queue.addAfter('a', 500);
  clock.advance(500);
  await settle();
  clock.advance(10_000);
  await settle();
  expect(done).toEqual(['a']);
});

test('failures are tried again after growing waits, and a success starts anew', async () => {
  const { clock, queue } = setUp({
    work: async () => {
      throw new Error('no');
    },
  });
  const waits: number[] = [];
  queue.add('a');
  queue.start();
  for (let time = 0; time < 6; time += 1) {
    await settle();
    waits.push(clock.next ?? Number.NaN);
    clock.advance(clock.next);
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160]);
});

test('many failures together are spread over time', async () => {
  const { clock, queue } = setUp({
    concurrency: 300,
    work: async () => {
      throw new Error('no');
    },
  });
  for (let key = 0; key < 300; key += 1) queue.add(`key-${key}`);
  queue.start();
  await settle();
  // A hundred at once, the other two hundred ten a second.
  clock.advance(5);
  await settle();
  expect(queue.retried).toBeLessThan(500);
});

test('a key that fails and changes all the time makes others wait no longer', async () => {
  const { clock, queue, done } = setUp({
    work: async () => {
      throw new Error('no');
    },
  });
  queue.start();
  for (let time = 0; time < 1_000; time += 1) {
    queue.add('busy');
    await queue.idle();
  }
  queue.add('other');
  await queue.idle();
  clock.advance(1_000);
  await queue.idle();
  expect(done.filter((key) => key === 'other').length).toBeGreaterThan(1);
});

test('a key that fails after it went well is tried again as soon as any, whatever retry of earlier waits', async () => {
  let fails = true;
  const { clock, queue, done } = setUp({
    work: async () => {
      if (fails) throw new Error('no');
      return undefined;
    },
  });
  queue.start();
  queue.add('a');
  for (let failure = 0; failure < 20; failure += 1) {
    await queue.idle();
    clock.advance(300_000);
  }
  for (const failing of [false, true]) {
    await queue.idle();
    fails = failing;
    queue.add('a');
  }
  await queue.idle();
  const before = done.length;
  clock.advance(1_000);
  await queue.idle();
  expect(done.length).toBeGreaterThan(before);
});

test('a clock that is set back holds up no retry', async () => {
  const { clock, queue } = setUp({
    work: async () => {
      throw new Error('no');
    },
  });
  queue.start();
  clock.advance(-3_600_000);
  queue.add('a');
  await settle();
  expect(clock.next).toBe(5);
});

test('what was to be done later is forgotten at the end, with all that waits for it', async () => {
  const { clock, queue, done } = setUp();
  queue.start();
  queue.addAfter('a', 1_000);
  await queue.stop();
  expect(clock.next).toBeUndefined();
  queue.addAfter('b', 1_000);
  clock.advance(2_000);
  await settle();
  expect(done).toEqual([]);
});

test('stopping waits for the work that runs and takes nothing more', async () => {
  let finish: () => void = () => {};
  const { queue, done } = setUp({
    work: () =>
      new Promise((resolve) => {
        finish = () => resolve(undefined);
      }),
  });
  queue.add('a');
  queue.add('b');
  queue.start();
  const stopped = queue.stop();
  queue.add('c');
  finish();
  await stopped;
  expect(done).toEqual(['a']);
});
