import { whereWorkIsLong } from '../base/loop-turn.ts';

/** An answer whose head is written. */
interface Endable {
  end(bytes: Buffer): unknown;
}

/** So many answers are held back at most: the first of them does not wait for many more. */
const most = 16;

let held: (() => void)[] = [];

/**
 * Ends an answer at the end of this turn of the event loop, together with all others of it, on whichever connections and
 * servers of this process; sooner where work in it turns out to be long. To write wakes who reads: woken for each answer
 * by itself, a client of several connections is done with it and asleep again before the next comes, and waking it takes
 * the kernel longer than sending does.
 */
export function endTogether(outgoing: Endable, bytes: Buffer): void {
  if (held.length === 0) setImmediate(endHeld);
  held.push(() => outgoing.end(bytes));
  if (held.length >= most) endHeld();
}

whereWorkIsLong(endHeld);

function endHeld(): void {
  const answers = held;
  held = [];
  for (const end of answers) end();
}
