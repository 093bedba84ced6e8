import { expect, test } from 'vitest';
import { said } from './said.ts';

test.each([
  ['its message', { body: { message: 'no room' }, text: '{"message":"no room"}' }, 'no room'],
  ['an object without one', { body: { kind: 'Pod' }, text: '{"kind":"Pod"}' }, '{"kind":"Pod"}'],
  ['a page of who stands in front', { body: undefined, text: '<h1>413</h1>' }, '<h1>413</h1>'],
  ['null', { body: null, text: 'null' }, 'null'],
  ['what is long', { body: undefined, text: 'a'.repeat(201) }, 'a'.repeat(200)],
])('says %s', (_, answer, words) => {
  expect(said(answer)).toBe(words);
});
