import { describe, expect, it } from 'vitest';
import { worked } from '../../fixtures/worked.fixture.ts';
import type { Json, KubeObject } from '../base/kube-object.ts';
import { compileJsonPath } from './json-path.ts';
import { tableOf } from './printer-columns.ts';

const value: Json = {
  s: 'x',
  l: ['a', 'b', 'c'],
  m: { k: 'v', 'e.com/l': 'label' },
  c: [
    { type: 'Other', status: 'No', n: 1 },
    { type: 'Ready', status: 'True', n: 5 },
  ],
};

describe('paths', () => {
  it.each<[string, Json[]]>([
    ['.s', ['x']],
    ['.l[0]', ['a']],
    ['.l[-1]', ['c']],
    ['.l[1:]', ['b', 'c']],
    ['.l[*]', ['a', 'b', 'c']],
    ['.l[]', ['a', 'b', 'c']],
    ['.l[::2]', ['a', 'c']],
    ['.l[0:2:2]', ['a']],
    ['.l[-2:]', ['b', 'c']],
    ['.l[0,2]', ['a', 'c']],
    ['.l[3]', []],
    ['.l[-4]', []],
    ['.l[0:9]', []],
    ['.l[2:1]', []],
    ['.m[*]', []],
    ['.m.*', ['v', 'label']],
    ['.c[].type', ['Other', 'Ready']],
    ["['s','m']", ['x', { k: 'v', 'e.com/l': 'label' }]],
    [".m['e.com/l']", []],
    [".m['e\\.com/l']", ['label']],
    ['.m.e\\.com/l', ['label']],
    ["['m']['k']", ['v']],
    ['.c[?(@.type=="Ready")].status', ['True']],
    [".c[?(@.type != 'Ready')].status", ['No']],
    ['.c[?(@.n > 2)].n', [5]],
    ['.c[?(@.n < 5)].n', [1]],
    ['.c[?(@.n <= 5)].n', [1, 5]],
    ['.c[?(@.n >= 5)].n', [5]],
    ['.c[?(5 > @.n)].n', [1]],
    [".c[?(@.type < 'P')].n", [1]],
    [".c[?(@.n < 'P')].n", []],
    ['.c[?(@.type)].n', [1, 5]],
    ['.c[?(@.missing)].n', []],
    ['..[0].type', ['Other']],
    ['.c[*].type', ['Other', 'Ready']],
    ['..status', ['No', 'True']],
    ['.missing.deeper', []],
    ['.constructor', []],
    ['.', []],
    ['.s.', []],
  ])('%s', (path, expected) => {
    expect([...compileJsonPath(path)(value)]).toEqual(expected);
  });

  it.each(['a', '.a[', '.a[?(@.b]', '.a[x]', '.a["b"]', '.a[::0]', ".a['b", '..', '.a b'])('refuses %s', (path) => {
    expect(() => compileJsonPath(path)).toThrow('not a JSONPath');
  });

  it('gives up on a search without end', () => {
    const wide: Json = Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => [{}]));
    const started = worked();
    expect([...compileJsonPath('..*..*..*..x')(wide)]).toEqual([]);
    expect(worked() - started).toBeLessThan(2000);
  });

  it('looks through a list of any length', () => {
    const long: Json = { list: Array.from({ length: 500_000 }, (_, i) => i), x: 'behind it' };
    expect([...compileJsonPath('..x')(long)]).toEqual(['behind it']);
  });
});

describe('tables', () => {
  const object = {
    kind: 'X',
    apiVersion: 'v1',
    metadata: { name: 'one', creationTimestamp: '2020-01-01T00:00:00Z' },
    spec: { i: 5.7, s: 'x', t: '2020-01-01T00:00:00Z', l: [1, 2n], big: 2n ** 60n, n: null, o: { b: 2, a: 1 } },
  } as unknown as KubeObject;
  const now = Date.parse('2020-01-01T02:01:00Z');
  const cell = (type: string, jsonPath: string) => tableOf([{ name: 'C', type, jsonPath }]).cells(object, now)[1];

  it('shows the age when no columns are declared, and nothing but the declared ones else', () => {
    expect(tableOf(undefined).columns.map(({ name, type }) => [name, type])).toEqual([
      ['Name', 'string'],
      ['Age', 'date'],
    ]);
    expect(tableOf([]).cells(object, now)).toEqual(['one', '121m']);
    expect(tableOf([{ name: 'C', type: 'string', jsonPath: '.x' }]).columns.map(({ name }) => name)).toEqual([
      'Name',
      'C',
    ]);
  });

  it('ends with the first column whose path cannot be read', () => {
    const table = tableOf(
      ['.spec.s', '.spec[', '.spec.i'].map((jsonPath) => ({ name: 'C', type: 'string', jsonPath })),
    );
    expect(table.columns).toHaveLength(2);
    expect(table.cells(object, now)).toEqual(['one', 'x']);
  });

  it.each<[string, string, unknown]>([
    ['integer', '.spec.i', 5],
    ['integer', '.spec.s', null],
    ['integer', '.spec.big', 2n ** 60n],
    ['number', '.spec.i', 5.7],
    ['boolean', '.spec.s', null],
    ['string', '.spec.l', '[1,2]'],
    ['string', '.spec.i', '5.7'],
    ['string', '.none', null],
    ['date', '.spec.t', '121m'],
    ['date', '.spec.s', '<invalid>'],
    ['string', '.spec.n', '<no value>'],
    ['string', '.spec.o', '{"a":1,"b":2}'],
  ])('%s of %s', (type, path, expected) => {
    expect(cell(type, path)).toEqual(expected);
  });
});
