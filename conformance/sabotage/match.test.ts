import { expect, test } from 'vitest';
import { describeMatch, type Match, matcher } from './match.ts';
import type { ProxiedRequest } from './sabotage.ts';

const request = (method: string, path: string, rawQuery = '', body = '', headers = {}): ProxiedRequest => ({
  method,
  path,
  rawQuery,
  query: new URLSearchParams(rawQuery),
  headers,
  body: Buffer.from(body),
});

const list = request('GET', '/api/v1/secrets', 'limit=2&watch');

test.each<[string, Match, boolean]>([
  ['nothing asked', {}, true],
  ['the method', { method: 'GET' }, true],
  ['one of several methods', { method: ['PUT', 'GET'] }, true],
  ['another method', { method: 'PUT' }, false],
  ['the path', { path: /\/secrets$/ }, true],
  ['another path', { path: /\/secrets\/x/ }, false],
  ['a parameter that is there', { query: { limit: true } }, true],
  ['a parameter that is there without a value', { query: { watch: true } }, true],
  ['a value', { query: { limit: '2' } }, true],
  ['another value', { query: { limit: '3' } }, false],
  ['a parameter that must be absent', { query: { continue: false } }, true],
  ['a parameter that should be absent', { query: { limit: false } }, false],
])('%s', (_, match, expected) => {
  expect(matcher(match)(list)).toBe(expected);
});

test('body and headers count as well', () => {
  const patch = request('PATCH', '/x', '', '{"a":null}', { 'content-type': 'application/json' });
  expect(matcher({ body: /null/, header: { 'content-type': /json/ } })(patch)).toBe(true);
  expect(matcher({ body: /nothing/ })(patch)).toBe(false);
  expect(matcher({ header: { accept: /json/ } })(patch)).toBe(false);
});

test('only requests that match are counted', () => {
  const second = matcher({ method: 'GET', nth: 2 });
  expect([list, request('PUT', '/x'), list, list].map(second)).toEqual([false, false, true, false]);
  const later = matcher({ method: 'GET', from: 2 });
  expect([list, list, list].map(later)).toEqual([false, true, true]);
});

test('a match says what it is about', () => {
  expect(describeMatch({})).toBe('');
  expect(describeMatch({ method: ['GET', 'PUT'], path: /s$/, query: { watch: true } })).toBe(' on GET|PUT s$ ?watch');
});
