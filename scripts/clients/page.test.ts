import { describe, expect, it } from 'vitest';
import type { RuleResult } from '../../conformance/result.ts';
import { columnOf, columnsIn, pageOf } from './page.ts';

const result = (id: string, verdict: RuleResult['verdict'], message = ''): RuleResult =>
  ({ id, verdict, statement: 'It is so.', ...(message ? { finding: { message } } : {}) }) as unknown as RuleResult;

const rules = ['a.first', 'b.second', 'c.third'];
const good = columnOf('good one', [
  result('a.first', 'pass'),
  result('b.second', 'skipped'),
  result('c.third', 'pass'),
]);
const bad = columnOf('bad one', [result('a.first', 'fail', 'took 12.34567 ms | and more'), result('b.second', 'warn')]);
const absent = { name: 'absent', marks: new Map(), findings: [], missing: 'spawnSync cargo ENOENT' };

describe('the page of clients', () => {
  it('counts, marks and tells what was seen', () => {
    const page = pageOf([good, absent], rules);
    expect(page).toContain('| good one | 2 | 0 | 0 | 1 | 0 |');
    expect(page).toContain('| `b.second` | · |');
    expect(page).toContain('absent was not judged: spawnSync cargo ENOENT');
    expect(page).toContain('Keeps every rule that it was judged by.');
    expect(bad.findings[0]).toBe('- `a.first`: It is so. Seen: took 12 ms \\| and more');
  });

  it('is read back as it was written', () => {
    const other = columnOf('other', [result('a.first', 'fail', 'no'), result('b.second', 'error', 'broke')]);
    const page = pageOf([good, other, absent], rules);
    expect(pageOf(columnsIn(page), rules)).toBe(page);
    expect(columnsIn(page).map(({ name }) => name)).toEqual(['good one', 'other', 'absent']);
    expect(columnsIn(page)[1]?.findings).toEqual(other.findings);
  });

  it('shows a rule that an earlier page does not have as not judged', () => {
    const [column] = columnsIn(pageOf([good], rules.slice(0, 1)));
    expect(pageOf(column ? [column] : [], rules)).toContain('| `c.third` | · |');
  });

  it('reads nothing from an empty page', () => {
    expect(columnsIn('')).toEqual([]);
  });
});
