import { expect, it } from 'vitest';
import { withoutRefused } from './refused.ts';

const refusal = (...fields: readonly string[]): object => ({ details: { causes: fields.map((field) => ({ field })) } });

it.each([
  ['the entries that it names go, whatever in them it names', ['spec.a[0]', 'spec.a[2].b[1].c'], { a: [1], b: [5] }],
  [
    'what is no entry of a list stays',
    ['spec.b', 'spec', 'spec.none[0]', 'metadata.labels[a/b]'],
    { a: [0, 1, 2], b: [5] },
  ],
  ['of lists in entries the outermost counts', ['spec.a[1].b[0]'], { a: [0, 2], b: [5] }],
  ['of a list all may go', ['spec.b[0]', 'spec.b[0].c'], { a: [0, 1, 2], b: [] }],
])('%s', (_, fields, spec) => {
  expect(withoutRefused({ spec: { a: [0, 1, 2], b: [5] } }, refusal(...fields))).toEqual({ spec });
});

it('what was not refused stays as it is', () => {
  const sent = { spec: { a: [1] } };
  for (const answer of [undefined, { kind: 'ConfigMap' }, { details: {} }])
    expect(withoutRefused(sent, answer)).toBe(sent);
});

it.each([
  [
    'a member that it names is as usual',
    ['spec.one', 'spec.map[key]'],
    { one: 1, more: true, map: { a: 'b' }, list: [] },
  ],
  ['what usually is not there goes', ['spec.more'], { one: 5, map: { c: 'd' }, list: [] }],
  ['a list of which nothing is left is as usual', ['spec.list'], { one: 5, more: true, map: { c: 'd' }, list: [1] }],
])('where it is said what is usual %s', (_, fields, spec) => {
  const usual = { spec: { one: 1, map: { a: 'b' }, list: [1] } };
  const sent = { spec: { one: 5, more: true, map: { c: 'd' }, list: [] } };
  expect(withoutRefused(sent, refusal(...fields), usual)).toEqual({ spec });
});
