import { describe, expect, it } from 'vitest';
import { worked } from '../../../fixtures/worked.fixture.ts';
import { parseDuration } from './duration.ts';

describe('a duration', () => {
  it.each([
    ['0', 0],
    ['0s', 0],
    ['1s', 1000],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1h0m0s', 3_600_000],
    ['1h2m3.5s', 3_723_500],
    ['10ms', 10],
    ['1us', 0.001],
    ['1µs', 0.001],
    ['1000000ns', 1],
    ['-1s', -1000],
    ['+1s', 1000],
    ['8760h0m0s', 31_536_000_000],
  ])('%s is %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBeCloseTo(milliseconds, 9);
  });

  it.each(['', '1', 's', '1d', '1 s', '1s ', '1,5s', '--1s', '1h-2m', '.s', '1e3s', 'Infinitys'])(
    '%j is none',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it('takes no time to read, however long it is', () => {
    const begin = worked();
    expect(parseDuration(`${'1s'.repeat(50_000)}x`)).toBeUndefined();
    expect(parseDuration('1'.repeat(100_000))).toBeUndefined();
    expect(worked() - begin).toBeLessThan(500);
  });
});
