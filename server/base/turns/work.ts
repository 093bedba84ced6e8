import { isOver, letOthers } from './loop-turn.ts';

/**
 * Work that is done at once as long as it neither waits nor takes long. It yields a promise that it waits for, and goes on
 * with what that brings; or nothing, where others may have their turn. Most work of a request never waits; a promise for
 * each part of it would cost more than the part.
 */
export type Work<T> = Generator<Promise<unknown> | undefined, T, unknown>;

/** Bytes of a body or an object up to which it is worked on at one go. */
export const longBytes = 64 * 1024;

/** Milliseconds: what takes less is not counted, since most work does. */
const short = 1;

/** What work comes to; a promise only where it had to wait, or took so long that others had their turn. */
export function carryOut<T>(work: Work<T>): Promise<T> | T {
  const began = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    const late = tookLong(began);
    if (value || late) return goOn(work, late ? afterOthers(value) : value);
  }
}

const tookLong = (began: number): boolean => performance.now() - began >= short && isOver(began);

/** What is waited for may be there already: others have their turn all the same. */
async function afterOthers(awaited: Promise<unknown> | undefined): Promise<unknown> {
  // Its failure is noticed in its turn.
  awaited?.catch(() => {});
  await letOthers();
  return awaited;
}

async function goOn<T>(work: Work<T>, awaited: Promise<unknown> | undefined): Promise<T> {
  for (let waits = awaited; ; ) {
    let reached: IteratorResult<Promise<unknown> | undefined, T>;
    let began: number;
    try {
      const known = await waits;
      began = performance.now();
      reached = work.next(known);
    } catch (error) {
      // What failed is for the work to see; what the work threw itself, it throws again.
      began = performance.now();
      reached = work.throw(error);
    }
    if (reached.done) return reached.value;
    waits = tookLong(began) ? afterOthers(reached.value) : reached.value;
    if (!waits) return carryOut(work);
  }
}

/** Does all of it now, however long that takes: for work that has nothing to wait for. */
export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (value) throw new Error('work that waits cannot be done at once');
  }
}

/** In work: a value that may have to be waited for. */
export function* known<T>(value: Promise<T> | T): Work<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}
