/** Somebody that holds a decoded value which it can make anew. */
export interface ValueHolder {
  /** What it counts for; kept by RecentValues. */
  counted: number;
  /** Lets go of the value. @returns false when it was used since it was last asked, and stays for now */
  letGo(): boolean;
}

/** Entries are moved up only when so many before them are gone, so that taking one costs nothing. */
const tidyAfter = 1024;

/**
 * Bounds how many values are held decoded beside their bytes: what was not used for longest is let go. Asked in the
 * order of coming, and what was used meanwhile gets one more round.
 */
export class RecentValues {
  readonly #limit: number;
  #queue: ValueHolder[] = [];
  #taken = 0;
  #size = 0;

  /** @param limit bytes of JSON of all values together */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @param size bytes of its JSON, at least about */
  add(holder: ValueHolder, size: number): void {
    this.#queue.push(holder);
    holder.counted = 0;
    this.resize(holder, size);
  }

  /** Its size is known now; nothing happens when it was let go. */
  resize(holder: ValueHolder, size: number): void {
    this.#size += size - holder.counted;
    holder.counted = size;
    // What is used all the time could go round for ever: each call asks a few.
    for (let asked = 0; this.#size > this.#limit && asked < 4; asked++) this.#ask();
  }

  #ask(): void {
    const oldest = this.#queue[this.#taken];
    if (!oldest) return;
    this.#taken++;
    if (this.#taken >= tidyAfter) {
      this.#queue.splice(0, this.#taken);
      this.#taken = 0;
    }
    if (oldest.letGo()) {
      this.#size -= oldest.counted;
      oldest.counted = 0;
    } else this.#queue.push(oldest);
  }
}
