import { expect, it } from 'vitest';
import { ManualTimers } from '../../base/manual-timers.fixture.ts';
import { identify } from '../identify.ts';
import { isUrgent, Pace } from './take-turn.ts';

it('begins some requests at once, the rest a few at a time, and what is urgent always', async () => {
  const timers = new ManualTimers();
  const pace = new Pace(timers);
  const begun: string[] = [];
  const come = (name: string, path = '/api') => {
    const turn = pace.next(identify('GET', path));
    if (turn) void turn.then(() => begun.push(name));
    else begun.push(name);
  };
  const turn = async () => {
    timers.advance();
    await new Promise((resolve) => setImmediate(resolve));
  };
  for (let n = 0; n < 40; n++) come(String(n));
  expect(begun).toHaveLength(16);
  come('urgent', '/livez');
  expect(begun.at(-1)).toBe('urgent');
  // The timers of this test run all that is due, one turn after the other.
  await turn();
  expect(begun.filter((name) => name !== 'urgent')).toEqual(Array.from({ length: 40 }, (_, n) => String(n)));
  expect(timers.waiting).toBe(0);
  come('later');
  expect(begun.at(-1)).toBe('later');
});

it.each([
  ['/livez', true],
  ['/readyz/ping', true],
  ['/livezx', false],
  ['/apis/coordination.k8s.io/v1/namespaces/a/leases/b', true],
  ['/apis/coordination.k8s.io/v1', false],
  ['/api/v1/leases', false],
])('%s is urgent: %j', (path, urgent) => {
  expect(isUrgent(identify('GET', path))).toBe(urgent);
});
