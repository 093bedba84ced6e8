import { expect, it } from 'vitest';
import { readBearer } from './bearer.ts';

it.each([
  ['Bearer tok', { token: 'tok' }],
  ['bearer tok', { token: 'tok' }],
  ['BEARER tok', { token: 'tok' }],
  ['Bearer tok rest', { token: 'tok' }],
  ['Bearer tok ', { token: 'tok' }],
  ['Bearer', {}],
  ['Bearer ', {}],
  ['Basic dTpw', {}],
  ['tok', {}],
  ['', {}],
])('%j holds %o', (header, expected) => {
  expect(readBearer([header])).toEqual(expected);
});

it('ignores a token after two spaces, and says so', () => {
  expect(readBearer(['Bearer  tok'])).toEqual({ warning: expect.stringContaining('extra space') });
});

it('takes no header for no credential, and two for one that nobody accepts', () => {
  expect(readBearer([])).toEqual({});
  expect(readBearer(['Bearer one', 'Bearer two'])).toEqual({ token: '' });
});
