/** Where a watch writes: the body of a response, or an array in a test. */
export interface WatchSink {
  /** False: nothing more, please, until `drained` is called. The chunk was taken all the same. */
  write(chunk: Buffer): boolean;
  /** Sets what is called each time the sink takes chunks again. */
  onDrain(drained: () => void): void;
  /** Bytes that were taken, and that the reader has not. */
  readonly unread: number;
  /** No more chunks; those written are still to be delivered. */
  end(): void;
  /** Gives up at once: the reader does not read. */
  abort(): void;
}

/** Opens by itself when there is something to write. */
export interface LateSink extends WatchSink {
  begin(): void;
}

/**
 * A sink that is opened when it is told to begin, or when there is something to write.
 * @param open is called once
 * @param giveUp instead of `abort`, before that
 */
export function openedLater(open: () => WatchSink, giveUp: () => void): LateSink {
  let opened: WatchSink | undefined;
  let drained = (): void => {};
  const sink = (): WatchSink => {
    if (opened) return opened;
    opened = open();
    opened.onDrain(drained);
    return opened;
  };
  return {
    begin: () => void sink(),
    write: (chunk) => sink().write(chunk),
    onDrain(wanted) {
      drained = wanted;
    },
    get unread() {
      return opened?.unread ?? 0;
    },
    end: () => sink().end(),
    abort: () => (opened ? opened.abort() : giveUp()),
  };
}
