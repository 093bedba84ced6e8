import { setImmediate } from 'node:timers';

/**
 * One turn of the event loop, and what long work has of it: so many milliseconds in all, however much of it there is, so
 * that what is short never waits for more than that. The rest stands in line for the next turns, first come, first served.
 */
const longest = 10;

const line: (() => void)[] = [];
/** Undefined: nothing was begun in this turn. */
let began: number | undefined;

/** Work goes on, or did so from a moment on: since then its time counts. */
function begin(from = performance.now()): void {
  if (began !== undefined) return;
  began = from;
  setImmediate(end);
}

const hurried: (() => void)[] = [];

/** Has this done each time that work turns out to be long: what is put off to the end of a turn, and is not to wait for it. */
export const whereWorkIsLong = (act: () => void): void => void hurried.push(act);

/** Whether long work, some of which began at `from`, has taken all that it may have of this turn. */
export function isOver(from = performance.now()): boolean {
  begin(from);
  for (const act of hurried) act();
  return performance.now() - (began ?? from) >= longest;
}

/** Resolves in a later turn, once there is time again. */
export function letOthers(): Promise<void> {
  begin();
  return new Promise((resolve) => line.push(resolve));
}

function end(): void {
  began = undefined;
  if (line.length === 0) return;
  begin();
  goOn();
}

/** One after the other, until the turn is over: each does what it has to do before the time is looked at again. */
function goOn(): void {
  if (isOver()) return;
  line.shift()?.();
  if (line.length > 0) queueMicrotask(() => process.nextTick(goOn));
}
