import { expect, it } from 'vitest';
import { ManualTimers } from '../base/manual-timers.fixture.ts';
import type { Exchange } from './exchange.ts';
import { OpenExchanges } from './open-exchanges.ts';

it('an answer that nobody reads for more than a minute is given up, others are not', () => {
  const timers = new ManualTimers();
  const open = new OpenExchanges(timers);
  const destroyed: string[] = [];
  const begin = (name: string) => {
    const exchange = {
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
