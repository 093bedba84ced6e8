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
