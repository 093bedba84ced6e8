import { type Clock, systemClock } from './clock.ts';
import { parseDuration } from './duration.ts';
import { type Cancel, systemTimers, type Timers } from './timers.ts';

/** Milliseconds, or a text such as `1h30m`. */
export type Duration = number | string;

interface Waiting {
  /** In milliseconds of the clock's own count, which a wrong time of day does not change. */
  due: number;
  /** Milliseconds between two calls; missing: it is called once. */
  readonly every?: number;
  readonly callback: () => void;
  cancel: Cancel;
}

/** How often something that comes again and again comes in one move: as often as makes sure of all that takes two turns. */
const mostTurns = 3;

/** What the clock stands on: real time, or in tests one that stands still. */
interface MovableClockParts {
  readonly clock?: Clock;
  readonly timers?: Timers;
}

/**
 * A clock that runs like the one on the wall, and that can be moved: `startServer({ clock })` goes by it, with the controllers
 * beside it. Several servers may share one.
 */
export class MovableClock implements Clock, Timers {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #waiting = new Set<Waiting>();
  #advanced = 0;
  #skew = 0;
  /** Nearly every clock is never moved: then it is the one that it stands on. */
  now: Clock['now'];
  /** What comes next comes so, however the clock is moved. */
  readonly soon: Timers['soon'];

  constructor({ clock = systemClock, timers = systemTimers }: MovableClockParts = {}) {
    this.#clock = clock;
    this.#timers = timers;
    this.now = clock.now.bind(clock);
    this.soon = timers.soon.bind(timers);
  }

  /** Another one that shows the same time now, and goes its own way from then on. */
  copy(): MovableClock {
    const made = new MovableClock({ clock: this.#clock, timers: this.#timers });
    made.#advanced = this.#advanced;
    made.#skew = this.#skew;
    made.#setNow();
    return made;
  }

  /** Milliseconds by which it was advanced in all. */
  get advanced(): number {
    return this.#advanced;
  }

  /** Milliseconds by which the time of day is wrong. */
  get skew(): number {
    return this.#skew;
  }

  /**
   * Goes forward at once, like a computer that wakes up: what has become due is called, in its order, each when what the one
   * before began has had its turn; what comes again and again comes three times at most. Resolves when all were called.
   * @throws RangeError for what is no duration, or goes back
   */
  async advance(duration: Duration): Promise<void> {
    const by = millisecondsOf(duration);
    if (by < 0) throw new RangeError('time does not go back; skewTo makes it wrong');
    this.#advanced += by;
    this.#setNow();
    const reached = this.#count();
    const due = [...this.#waiting].filter((each) => each.due <= reached).sort((a, b) => a.due - b.due);
    for (const each of this.#waiting) if (each.due > reached) this.#arm(each);
    for (const each of due) await this.#ring(each, reached);
  }

  /**
   * Tells a time of day that is wrong by so much from now on, as on a machine whose clock nobody set; negative: it is behind.
   * What waits, waits as long as before.
   * @throws RangeError for what is no duration
   */
  skewTo(duration: Duration): void {
    this.#skew = millisecondsOf(duration);
    this.#setNow();
  }

  #setNow(): void {
    const by = this.#advanced + this.#skew;
    this.now = by === 0 ? this.#clock.now.bind(this.#clock) : () => this.#clock.now() + by;
  }

  after(milliseconds: number, callback: () => void): Cancel {
    return this.#wait({ due: this.#count() + Math.max(0, milliseconds), callback, cancel: () => {} });
  }

  every(milliseconds: number, callback: () => void): Cancel {
    const every = Math.max(1, milliseconds);
    return this.#wait({ due: this.#count() + every, every, callback, cancel: () => {} });
  }

  #count(): number {
    return this.#clock.now() + this.#advanced;
  }

  #wait(waiting: Waiting): Cancel {
    this.#waiting.add(waiting);
    this.#arm(waiting);
    return () => {
      waiting.cancel();
      this.#waiting.delete(waiting);
    };
  }

  #arm(waiting: Waiting): void {
    waiting.cancel();
    waiting.cancel = this.#timers.after(Math.max(0, waiting.due - this.#count()), () => this.#call(waiting));
  }

  #call(waiting: Waiting): void {
    if (waiting.every === undefined) this.#waiting.delete(waiting);
    else {
      waiting.due = this.#count() + waiting.every;
      this.#arm(waiting);
    }
    waiting.callback();
  }

  async #ring(waiting: Waiting, reached: number): Promise<void> {
    const missed = waiting.every ? Math.floor((reached - waiting.due) / waiting.every) + 1 : 1;
    for (let turn = 0; turn < Math.min(missed, mostTurns) && this.#waiting.has(waiting); turn++) {
      waiting.cancel();
      this.#call(waiting);
      await new Promise<void>((resolve) => this.#timers.soon(resolve));
    }
  }
}

/** Whether a value from outside is one that the clock can be moved by. */
export const isDuration = (value: unknown): value is Duration => readDuration(value) !== undefined;

/** Milliseconds. */
function readDuration(value: unknown): number | undefined {
  const milliseconds = typeof value === 'string' ? parseDuration(value) : value;
  return Number.isFinite(milliseconds) && Math.abs(Number(milliseconds)) <= longest ? Number(milliseconds) : undefined;
}

/** @throws RangeError */
export function millisecondsOf(duration: Duration): number {
  const milliseconds = readDuration(duration);
  if (milliseconds === undefined)
    throw new RangeError(`${JSON.stringify(duration)} is no duration such as 1h30m, of at most a hundred years`);
  return milliseconds;
}

const longest = 100 * 365 * 86_400_000;
