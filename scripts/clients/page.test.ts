import { describe, expect, it } from 'vitest';
import type { RuleResult } from '../../conformance/result.ts';
import { absence, columnOf, columnsIn, onRules, onTour, pageOf } from './page.ts';

const result = (id: string, verdict: RuleResult['verdict'], message = ''): RuleResult =>
  ({ id, verdict, statement: 'It is so.', ...(message ? { finding: { message } } : {}) }) as unknown as RuleResult;

const rules = ['a.first', 'b.second', 'c.third'];
const rows = { rules, topics: ['crud', 'pages', 'scale'] };
const good = columnOf('good one', [
  result('a.first', 'pass'),
  result('b.second', 'skipped'),
  result('c.third', 'pass'),
]);
const bad = columnOf('bad one', [result('a.first', 'fail', 'took 12.34567 ms | and more'), result('b.second', 'warn')]);
const absent = absence('absent', 'spawnSync cargo ENOENT');

describe('the page of clients', () => {
  it('counts, marks and tells what was seen', () => {
    const page = pageOf([good, absent], rows);
    expect(page).toContain('| good one | 2 | 0 | 0 | 1 | 0 |');
    expect(page).toContain('| `b.second` | · |');
    expect(page).toContain('absent was not judged: spawnSync cargo ENOENT');
    expect(page).toContain('Keeps every rule that it was judged by.');
    expect(bad.findings[0]).toBe('- `a.first`: It is so. Seen: took 12 ms \\| and more');
  });

  it('is read back as it was written', () => {
    const toured = new Map([
      ['crud', ''],
      ['scale', 'expected 3, seen 2'],
    ]);
    const results = [result('a.first', 'fail', 'no'), result('b.second', 'error', 'broke')];
    const other = columnOf('other', results, toured);
    const page = pageOf([good, other, absent], rows);
    expect(pageOf(columnsIn(page), rows)).toBe(page);
    expect(columnsIn(page).map(({ name }) => name)).toEqual(['good one', 'other', 'absent']);
    expect(columnsIn(page)[1]).toMatchObject({ tour: other.tour, findings: other.findings });
    expect(page).toContain('| pages | · |');
    expect(page).toContain('- scale: expected 3, seen 2');
  });

  it('shows a rule that an earlier page does not have as not judged', () => {
    const [column] = columnsIn(pageOf([good], { ...rows, rules: rules.slice(0, 1) }));
    expect(pageOf(column ? [column] : [], rows)).toContain('| `c.third` | · |');
  });

  it('tells of a client that only tours in the table of topics alone', () => {
    const tourist = columnOf('tourist', [], new Map([['crud', '']]));
    const page = pageOf([good, tourist, bad], rows);
    expect(page).toContain('| Rule | good one | bad one |');
    expect(page).toContain('| Topic | tourist |');
    expect(page).not.toContain('## tourist');
    expect(pageOf(columnsIn(page), rows)).toContain('| crud | ✓ |');
  });

  it('keeps how a client was judged when it tours again', () => {
    const before = columnOf('other', [result('a.first', 'fail', 'no')], new Map([['crud', 'expected 3, seen 2']]));
    const after = onTour(
      before,
      new Map([
        ['crud', ''],
        ['scale', 'no answer'],
      ]),
    );
    expect(after.marks).toBe(before.marks);
    expect([...after.tour]).toEqual([
      ['crud', '✓'],
      ['scale', '✗'],
    ]);
    expect(after.findings).toEqual(['- `a.first`: It is so. Seen: no', '- scale: no answer']);
  });

  it('keeps what other rules have found when some judge again', () => {
    const results = [result('a.first', 'fail', 'no'), result('b.second', 'fail', 'never')];
    const before = columnOf('other', results, new Map([['scale', 'no answer']]));
    const after = onRules(before, [result('a.first', 'pass'), result('c.third', 'warn', 'late')]);
    expect([...after.marks]).toEqual([
      ['a.first', '✓'],
      ['b.second', '✗'],
      ['c.third', '!'],
    ]);
    expect(after.findings).toEqual([
      '- `b.second`: It is so. Seen: never',
      '- `c.third`: It is so. Seen: late',
      '- scale: no answer',
    ]);
    expect(after.tour).toBe(before.tour);
  });

  it('reads nothing from an empty page', () => {
    expect(columnsIn('')).toEqual([]);
  });
});
