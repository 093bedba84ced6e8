import { expect, it } from 'vitest';
import { heapsOf } from './heaps.ts';

it.each([
  ['different members', [{ a: 1 }, { b: { c: 2 } }, { b: { d: 3 } }], [{ a: 1, b: { c: 2, d: 3 } }]],
  ['what is said alike', [{ a: { b: 1 } }, { a: { b: 1 }, c: 2 }], [{ a: { b: 1 }, c: 2 }]],
  ['entries of a list', [{ a: [{ n: 1 }] }, { a: [{ n: 2 }, 'text'] }], [{ a: [{ n: 1 }, { n: 2 }, 'text'] }]],
])('%s go together', (_, changes, heaps) => {
  expect(heapsOf(changes)).toEqual(heaps);
});

it.each([
  ['two values of a member', [{ a: 1 }, { a: 2 }]],
  ['a member that goes and one within it', [{ a: null }, { a: { b: 1 } }]],
  ['a map with nothing in it and one that has something', [{ a: {} }, { a: { b: 1 } }]],
  ['a list with nothing in it and one that has entries', [{ a: [] }, { a: [1] }]],
  ['a list and what is none', [{ a: [1] }, { a: { b: 1 } }]],
])('%s do not', (_, changes) => {
  expect(heapsOf(changes)).toEqual(changes);
});

it('each goes into the first heap that has room, and no list gets too long', () => {
  expect(heapsOf([{ a: 1 }, { a: 2 }, { b: 3 }])).toEqual([{ a: 1, b: 3 }, { a: 2 }]);
  const heaps = heapsOf(Array.from({ length: 60 }, (_, at) => ({ a: [at] })));
  expect(heaps.map(({ a }) => a.length)).toEqual([24, 24, 12]);
});
