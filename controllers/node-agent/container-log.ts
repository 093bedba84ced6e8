import { EventEmitter } from 'node:events';

export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** With its end, unless the container stopped in the middle of it. */
  readonly text: string;
}

/** Characters of a log that are kept, where each line counts as some more; older lines are forgotten. */
const mostCharacters = 4 * 1024 * 1024;
const lineOverhead = 64;
/** A line that is longer is told in pieces. */
const longestLine = 64 * 1024;

/** What a container has written, line by line, and the news that there is more. */
export class ContainerLog {
  readonly #now: () => number;
  readonly #news = new EventEmitter().setMaxListeners(0);
  #lines: LogLine[] = [];
  #forgotten = 0;
  #size = 0;
  #open = '';
  #ended = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  write(text: string): void {
    if (this.#ended) return;
    const parts = (this.#open + text).split(/(?<=\n)/);
    const last = parts.at(-1) ?? '';
    this.#open = last.endsWith('\n') || last.length >= longestLine ? '' : (parts.pop() ?? '');
    for (const part of parts) this.#add(part);
    this.#news.emit('more');
  }

  /** Nothing will come any more. */
  end(): void {
    if (this.#ended) return;
    if (this.#open) this.#add(this.#open);
    this.#open = '';
    this.#ended = true;
    this.#news.emit('more');
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** The lines there are, then those that come, until the log ends or the reader has enough. */
  async *follow(signal: AbortSignal): AsyncGenerator<LogLine> {
    let next = this.#forgotten;
    for (;;) {
      next = Math.max(next, this.#forgotten);
      const line = this.#lines[next - this.#forgotten];
      if (line) {
        next++;
        yield line;
      } else if (this.#ended || signal.aborted) return;
      else await this.#more(signal);
    }
  }

  #more(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#news.off('more', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#news.on('more', done);
      signal.addEventListener('abort', done);
    });
  }

  #add(text: string): void {
    this.#lines.push({ at: this.#now(), text });
    this.#size += text.length + lineOverhead;
    if (this.#size <= mostCharacters) return;
    // A quarter at a time, so that not every line moves all others.
    let cut = 0;
    while (this.#size > mostCharacters * 0.75) this.#size -= lineOverhead + (this.#lines[cut++]?.text.length ?? 0);
    this.#lines = this.#lines.slice(cut);
    this.#forgotten += cut;
  }
}
