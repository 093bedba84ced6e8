import { describe, expect, it } from 'vitest';
import type { Json } from '../../verbs/json.ts';
import { differencesOf } from './differ.ts';
import { differs, seen, step } from './two-answers.fixture.ts';

it('reads YAML as those do to whom a bare yes is no text', () => {
  const yaml = (text: string) => [seen(step('s1'), text, { headers: { 'content-type': 'application/yaml' } })];
  expect(differs(yaml('a: "yes"\nb: "1:30"'), yaml("b: '1:30'\na: 'yes'"))).toEqual([]);
  expect(differs(yaml('a: yes'), yaml('a: "yes"'))).toEqual(['a']);
});

it('compares protobuf of servers that write what is empty with that of servers that do not', () => {
  const normal = (wire: Json) => ({ status: 200, headers: {}, body: { kind: 'Secret', wire } });
  const sparse = { 1: [{ 1: ['a'] }], 3: ['x'] };
  const full = { 1: [{ 1: ['a'], 2: [''], 4: [''] }], 2: [''], 3: ['x'] };
  expect(differencesOf(normal(sparse), normal(full))).toEqual([]);
  expect(differencesOf(normal(sparse), normal({ ...full, 3: ['y'] }))).toHaveLength(1);
  // Of two that write alike, what is empty counts.
  expect(differencesOf(normal(sparse), normal({ ...sparse, 2: [''] }))).toHaveLength(1);
  expect(differencesOf(normal(full), normal({ ...full, 2: undefined }))).toHaveLength(1);
});

describe('metrics', () => {
  const counted = (...lines: readonly string[]) => [
    seen(step('s1', '/metrics'), ['# HELP some', ...lines].join('\n'), { headers: { 'content-type': 'text/plain' } }),
  ];
  const line = (name: string, code: string, count = 1): string =>
    `apiserver_admission_webhook_rejection_count{rejection_code="${code}",name="${name}"} ${count}`;

  it('are compared where they are of the play, in whatever order', () => {
    const one = counted(line('a.tabc00001', '400'), line('b.tabc00001', '400'), 'other_total 7');
    expect(
      differs(one, counted(line('b.tabc00001', '400'), line('c.others', '403'), line('a.tabc00001', '400'))),
    ).toEqual([]);
    expect(differs(counted(line('a.tabc00001', '600')), counted(line('a.tabc00001', '700')))).not.toEqual([]);
    expect(differs(counted(line('a.tabc00001', '600', 2)), counted(line('a.tabc00001', '600')))).not.toEqual([]);
  });
});
