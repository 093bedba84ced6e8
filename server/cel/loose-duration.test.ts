import { describe, expect, it } from 'vitest';
import { durationText } from './loose-duration.ts';

describe('a duration', () => {
  it.each([
    ['1h30m', '1h30m'],
    ['-5s', '-5s'],
    ['1d', '86400000000000ns'],
    ['1 day 12 hours', '129600000000000ns'],
    ['P1D', '86400000000000ns'],
    ['24H', '86400000000000ns'],
    ['2 wk', '1209600000000000ns'],
    ['5 minutes', '300000000000ns'],
    ['5 apples', undefined],
    ['', undefined],
    ['5', undefined],
  ])('%j is %j', (text, expected) => {
    expect(durationText(text)).toBe(expected);
  });
});
