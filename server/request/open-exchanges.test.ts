import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ManualTimers } from '../base/time/manual-timers.fixture.ts';
import type { Exchange } from './exchange.ts';
import { OpenExchanges } from './open-exchanges.ts';

it('an answer that nobody reads for more than a minute is given up, others are not', () => {
  const timers = new ManualTimers();
  const open = new OpenExchanges(timers);
  const destroyed: string[] = [];
  const begin = (name: string) => {
    const exchange = {
      place: -1,
      isAnswered: false,
      outgoing: {
        destroy() {
          destroyed.push(name);
          open.delete(exchange);
        },
      },
    } as unknown as Exchange;
    open.add(exchange);
    return exchange;
  };
  const [stuck, quick, late, working] = [begin('stuck'), begin('quick'), begin('late'), begin('working')];
  stuck.isAnswered = true;
  open.delete(quick);
  timers.advance(60_000);
  late.isAnswered = true;
  expect(destroyed).toEqual([]);
  timers.advance(60_000);
  expect(destroyed).toEqual(['stuck']);
  open.delete(late);
  timers.advance(120_000);
  expect(destroyed).toEqual(['stuck']);
  open.delete(working);
  timers.advance(60_000);
  expect([open.size, open.begun, timers.waiting]).toEqual([0, 4, 0]);
});

it('each is counted from its beginning to its end, in whatever order they end', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(7))), (steps) => {
      const open = new OpenExchanges(new ManualTimers());
      const all = Array.from({ length: 8 }, () => ({ place: -1 }) as Exchange);
      const expected = new Set<Exchange>();
      for (const [begins, which] of steps) {
        const exchange = all[which] as Exchange;
        if (!begins) open.delete(exchange);
        else if (!expected.has(exchange)) open.add(exchange);
        if (begins) expected.add(exchange);
        else expected.delete(exchange);
        expect(open.size).toBe(expected.size);
      }
      for (const exchange of all) open.delete(exchange);
      expect(open.size).toBe(0);
    }),
  );
});
