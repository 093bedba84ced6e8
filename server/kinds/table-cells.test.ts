import { expect, test } from 'vitest';
import { labelText, shortDuration, since } from './table-cells.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [-2 * second, '<invalid>'],
  [-1 * second, '0s'],
  [0, '0s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [5 * minute + 30 * second, '5m30s'],
  [10 * minute + 30 * second, '10m'],
  [179 * minute, '179m'],
  [3 * hour, '3h'],
  [7 * hour + 5 * minute, '7h5m'],
  [47 * hour, '47h'],
  [2 * day + 3 * hour, '2d3h'],
  [8 * day + 3 * hour, '8d'],
  [729 * day, '729d'],
  [731 * day, '2y1d'],
  [9 * 365 * day, '9y'],
])('%d milliseconds are %s', (span, text) => {
  expect(shortDuration(span)).toBe(text);
});

test('a time that is not known', () => {
  expect([since(undefined, 0), since(null, 0), since('soon', 0)]).toEqual(['<unknown>', '<unknown>', '<unknown>']);
});

test('labels are told in order', () => {
  expect(labelText({ b: '2', a: '1' })).toBe('a=1,b=2');
  expect(labelText({})).toBe('<none>');
});
