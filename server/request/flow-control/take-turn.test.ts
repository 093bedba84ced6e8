import { beforeEach, expect, it } from 'vitest';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import type { Exchange } from '../exchange.ts';
import { identify } from '../identify.ts';
import type { RequestServices } from '../services.ts';
import { hasteOf, Pace, takeTurn } from './take-turn.ts';

/** A request of each sort. */
const paths = { urgent: '/livez', quick: '/api/v1/namespaces/a/pods/b', none: '/api' };

let timers: ManualTimers;
let begun: string[];
let come: (name: string, haste?: keyof typeof paths) => void;
beforeEach(() => {
  timers = new ManualTimers();
  begun = [];
  const pace = new Pace(timers);
  come = (name, haste = 'none') => {
    const turn = pace.next(identify('GET', paths[haste]));
    if (turn) void turn.then(() => begun.push(name));
    else begun.push(name);
  };
});

// The timers of this test run all that is due, one turn after the other.
async function turn() {
  timers.advance();
  await new Promise((resolve) => setImmediate(resolve));
}

it('begins some requests at once, the rest a few at a time, and what is urgent always', async () => {
  for (let n = 0; n < 40; n++) come(String(n));
  expect(begun).toHaveLength(16);
  come('urgent', 'urgent');
  expect(begun.at(-1)).toBe('urgent');
  await turn();
  expect(begun.filter((name) => name !== 'urgent')).toEqual(Array.from({ length: 40 }, (_, n) => String(n)));
  expect(timers.waiting).toBe(0);
  come('later');
  expect(begun.at(-1)).toBe('later');
});

it('lets those pass who are soon done, but never all of them before the others', async () => {
  for (let n = 0; n < 36; n++) come(`w${n}`);
  for (let n = 0; n < 80; n++) come(`r${n}`, 'quick');
  begun.length = 0;
  await turn();
  const reads = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `r${from + n}`);
  const writes = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `w${16 + from + n}`);
  expect(begun).toEqual([
    ...[...reads(0, 32), ...writes(0, 4)],
    ...[...reads(32, 64), ...writes(4, 8)],
    ...[...reads(64, 80), ...writes(8, 12)],
    ...writes(12, 20),
  ]);
});

it('asks for room only when the request may begin, and lets one that had to wait for room wait for its turn', async () => {
  const turns: (() => void)[] = [];
  const steps: string[] = [];
  const next = () => {
    steps.push('stands in line');
    return new Promise<void>((resolve) => turns.push(resolve));
  };
  const leave = () => {};
  const enter = () => {
    steps.push('asks for room');
    return Promise.resolve(leave);
  };
  const exchange = { info: identify('GET', '/api') } as unknown as Exchange;
  const taken = takeTurn(exchange, { pace: { next }, gate: { enter } } as unknown as RequestServices);
  expect(steps).toEqual(['stands in line']);
  turns.shift()?.();
  await expect.poll(() => steps).toEqual(['stands in line', 'asks for room', 'stands in line']);
  expect(exchange.leaveGate, 'is given back whenever it ends').toBe(leave);
  turns.shift()?.();
  expect(await taken).toBeUndefined();
});

it.each([
  ['/livez', 'urgent'],
  ['/readyz/ping', 'urgent'],
  ['/livezx', 'none'],
  ['/apis/coordination.k8s.io/v1/namespaces/a/leases/b', 'urgent'],
  ['/apis/coordination.k8s.io/v1', 'none'],
  ['/api/v1/leases', 'none'],
  ['/api/v1/namespaces/a/pods/b', 'quick'],
  ['/api/v1/namespaces/a/pods/b/log', 'none'],
  ['/api/v1/namespaces/a/pods', 'none'],
])('how soon %s is to begin: %s', (path, haste) => {
  expect(hasteOf(identify('GET', path))).toBe(haste);
});
