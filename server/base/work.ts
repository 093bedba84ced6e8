/**
 * Work that is done at once, as long as it has nothing to wait for: it yields the promises that it waits for, and goes on
 * with what they bring. Most work of a request never yields; a promise for each part of it would cost more than the part.
 */
export type Work<T> = Generator<Promise<unknown>, T, unknown>;

/** What work comes to; a promise only where it had to wait. */
export function carryOut<T>(work: Work<T>): Promise<T> | T {
  const { done, value } = work.next();
  return done ? value : goOn(work, value);
}

async function goOn<T>(work: Work<T>, awaited: Promise<unknown>): Promise<T> {
  for (let waits = awaited; ; ) {
    const resume = await waits.then(
      (known) => () => work.next(known),
      (error) => () => work.throw(error),
    );
    const { done, value } = resume();
    if (done) return value;
    waits = value;
  }
}

/** In work: a value that may have to be waited for. */
export function* known<T>(value: Promise<T> | T): Work<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}
