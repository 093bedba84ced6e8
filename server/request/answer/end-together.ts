import { setImmediate } from 'node:timers';
import { whereWorkIsLong } from '../../base/turns/loop-turn.ts';

/** An answer whose head is written. */
interface Endable {
  end(body: Buffer | string, encoding: 'latin1'): unknown;
}

/** So many answers are held back at most: the first of them does not wait for many more. */
const most = 16;

let held: (() => void)[] = [];

/**
 * Ends an answer at the end of this turn of the event loop, together with all others of it, on whichever connections and
 * servers of this process; sooner where work in it turns out to be long. To write wakes who reads: woken for each answer
 * by itself, a client of several connections is done with it and asleep again before the next comes, and waking it takes
 * the kernel longer than sending does.
 * @param body bytes, or text that is all ASCII
 */
export function endTogether(outgoing: Endable, body: Buffer | string): void {
  if (held.length === 0) setImmediate(endHeld);
  held.push(() => outgoing.end(body, 'latin1'));
  if (held.length >= most) endHeld();
}

whereWorkIsLong(endHeld);

function endHeld(): void {
  const answers = held;
  held = [];
  for (const end of answers) end();
}
