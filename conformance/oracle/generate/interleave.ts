/** One of each in turn, until all are told out. */
export function* interleaved<T>(sources: readonly Iterable<T>[]): Generator<T> {
  let running = sources.map((source) => source[Symbol.iterator]());
  while (running.length > 0) {
    const still: Iterator<T>[] = [];
    for (const source of running) {
      const { done, value } = source.next();
      if (done) continue;
      still.push(source);
      yield value;
    }
    running = still;
  }
}
