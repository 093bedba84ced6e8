import type { WatchSink } from './watch-sink.ts';

/** An event as it was written, decoded. */
export interface SeenEvent {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly metadata: { readonly name?: string; readonly resourceVersion?: string };
    readonly [field: string]: unknown;
  };
}

/** A sink for tests, which keeps what it is given and takes more only while it is `open`. */
export class RecordingSink implements WatchSink {
  open = true;
  outcome: 'open' | 'ended' | 'aborted' = 'open';
  readonly chunks: Buffer[] = [];
  unread = 0;
  #drained: () => void = () => {};

  write(chunk: Buffer): boolean {
    if (this.outcome !== 'open') throw new Error('written after the end');
    this.chunks.push(chunk);
    return this.open;
  }

  onDrain(drained: () => void): void {
    this.#drained = drained;
  }

  end(): void {
    this.outcome = 'ended';
  }

  abort(): void {
    this.outcome = 'aborted';
  }

  /** The reader has read everything. */
  drain(): void {
    this.#drained();
  }

  get events(): SeenEvent[] {
    const lines = Buffer.concat(this.chunks).toString().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  }

  /** Each event in short: `ADDED a@5`. */
  get texts(): string[] {
    return this.events.map(
      ({ type, object }) => `${type} ${object.metadata.name ?? ''}@${object.metadata.resourceVersion ?? ''}`,
    );
  }
}
