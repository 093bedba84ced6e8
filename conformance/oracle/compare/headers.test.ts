import { describe, expect, it } from 'vitest';
import type { Observation } from '../play/observation.ts';
import { headersOf } from './headers.ts';
import { Naming } from './naming.ts';
import { differs, seen, step } from './two-answers.fixture.ts';

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

describe('headers', () => {
  const answered = (headers: Record<string, string>) => [
    seen(step('s1'), {}, { headers: { 'content-type': 'application/json', ...headers } }),
  ];

  it('count where they say how an answer is packed', () => {
    expect(differs(answered({ 'content-encoding': 'gzip' }), answered({}))).toEqual(['header content-encoding']);
  });

  it('name a request as it was told to be called, or by a name of their own', () => {
    const named = (id: string) => answered({ 'audit-id': id });
    expect(differs(named('one'), named('other'))).toEqual([]);
    expect(differs(named('tabc00001-audit'), named('other'))).toEqual(['header audit-id']);
    expect(differs(named('one'), answered({}))).toEqual(['header audit-id']);
  });
});

it('tells which flow a request was let in by where the play has made it', () => {
  const uid = (digit: number): string => `00000000-1111-2222-3333-44444444444${digit}`;
  const by = (flow: number): Observation[] => [
    seen(step('s1'), { metadata: { uid: uid(1) } }),
    seen(step('s2'), {}, { headers: { 'x-kubernetes-pf-flowschema-uid': uid(flow) } }),
  ];
  expect(differs(by(2), by(3))).toEqual([]);
  expect(differs(by(1), by(3))).toEqual(['header x-kubernetes-pf-flowschema-uid']);
});

it('tells where an old address leads, but for the hash that it has now', () => {
  const one = step('s1', '/openapi/v3/apis/apps/v1');
  const moved = (to: string): Observation[] => [
    seen(one, `<a href="${to}">Moved Permanently</a>.`, { headers: { location: to }, status: 301 }),
  ];
  const [first, second] = ['0123456789ABCDEF', 'FEDCBA9876543210'].map(
    (hash) => `/openapi/v3/apis/apps/v1?hash=${hash}`,
  );
  expect(differs(moved(first as string), moved(second as string))).toEqual([]);
  expect(differs(moved(first as string), moved('/openapi/v3'))).toEqual(['header location', 'text']);
});
