import { expect, it } from 'vitest';
import { ManualTimers } from '../base/manual-timers.fixture.ts';
import type { Exchange } from './exchange.ts';
import { UnreadAnswers } from './unread.ts';

/** An exchange as far as its end is concerned. */
function exchange() {
  const overs: (() => void)[] = [];
  const made = {
    isDestroyed: false,
    outgoing: {
      destroy() {
        made.isDestroyed = true;
        for (const over of overs) over();
      },
    },
    ending: { isOver: false, whenOver: (act: () => void) => void overs.push(act) },
    read: () => {
      for (const over of overs) over();
    },
  };
  return made;
}

it('an answer that nobody reads for more than a minute is given up, others are not', () => {
  const timers = new ManualTimers();
  const unread = new UnreadAnswers(timers);
  const follow = (each: ReturnType<typeof exchange>) => unread.follow(each as unknown as Exchange);
  const [stuck, quick, late] = [exchange(), exchange(), exchange()];
  follow(stuck);
  follow(quick);
  quick.read();
  timers.advance(60_000);
  follow(late);
  expect(stuck.isDestroyed).toBe(false);
  timers.advance(60_000);
  expect([stuck.isDestroyed, quick.isDestroyed, late.isDestroyed]).toEqual([true, false, false]);
  late.read();
  expect(unread.size).toBe(0);
  timers.advance(120_000);
  expect(timers.waiting).toBe(0);
});
