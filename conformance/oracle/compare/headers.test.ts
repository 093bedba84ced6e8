import { expect, it } from 'vitest';
import type { Observation } from '../play/observation.ts';
import { headersOf } from './headers.ts';
import { Naming } from './naming.ts';

const naming = new Naming({ begun: 0, own: 'tabc00001', sent: ['{}'] });
const told = (headers: Record<string, string>, warnings: readonly string[] = []) =>
  headersOf(
    {
      step: { id: 's', what: 'get', method: 'GET', path: '/' },
      at: 0,
      status: 200,
      headers,
      warnings,
      bytes: Buffer.alloc(0),
    } satisfies Observation,
    '',
    naming,
  );

it('tells what an answer varies by, and that it has a tag, but not which', () => {
  expect(told({ vary: 'Accept', etag: '"a"', date: 'now' })).toEqual({ vary: 'Accept', etag: '<some>' });
});

it('tells how many warnings there are, by whom, and that one comes again, but not what they say', () => {
  const warnings = ['299 - "a"', '299 - "b"'];
  expect(told({}, warnings)).toEqual(told({}, ['299 - "c"', '299 - "d"']));
  for (const other of [
    warnings.slice(1),
    [...warnings, '299 - "a"'],
    ['299 - "a"', '199 - "b"'],
    ['299 host "a"', '299 - "b"'],
  ])
    expect(told({}, other)).not.toEqual(told({}, warnings));
});
