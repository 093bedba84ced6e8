import { describe, expect, test } from 'vitest';
import { beyondTest } from '../catalogue/beyond-test.ts';
import { resultText, shortText, summaryText, teethText } from './console.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { failing, reportOf, result } from './report.fixture.ts';
import { byChapter, countVerdicts, coverageOf, exitCodeOf } from './summary.ts';

const mixed = reportOf([
  failing,
  result('verbs.list'),
  result('names.required', { verdict: 'skipped', reason: 'no pods' }),
  result('watch.resume', { verdict: 'warn', warnings: ['looser'] }),
  result('rv.object', { verdict: 'error', finding: { kind: 'crash', message: 'oops' } }),
]);

describe('the exit code', () => {
  test.each([
    ['all pass', [result('verbs.get')], [], 0],
    [
      'nothing but warnings and skips',
      [result('verbs.get', { verdict: 'warn' }), result('verbs.list', { verdict: 'skipped' })],
      [],
      0,
    ],
    ['a broken must', [failing], [], 1],
    ['an error of the suite', [result('verbs.get', { verdict: 'error' })], [], 1],
    ['an error beside the rules', [result('verbs.get')], ['a file did not load'], 1],
  ])('%s', (_, results, errors, code) => {
    expect(exitCodeOf({ results, errors })).toBe(code);
  });
});

describe('the summary', () => {
  test('counts verdicts', () => {
    expect(countVerdicts(mixed.results)).toEqual({ pass: 1, fail: 1, skipped: 1, warn: 1, error: 1 });
  });

  test('goes by chapter and leaves out chapters without a rule', () => {
    const chapters = byChapter(mixed.results, new Set(['verbs.get']));
    expect(chapters.map(({ chapter }) => chapter)).toEqual(['names', 'rv', 'verbs', 'watch']);
    expect(chapters[2]).toMatchObject({ counts: { pass: 1, fail: 1 }, withCheck: 1, documented: 14 });
  });

  test('never looks fuller than it is', () => {
    const coverage = coverageOf(
      new Set(['verbs.get', 'rv.opaque']),
      new Map([
        ['rv.opaque', 'a'],
        ['verbs.list', 'b'],
      ]),
    );
    const { documented, withCheck, elsewhere, notObservable, withoutCheck } = coverage;
    expect([documented, withCheck, elsewhere]).toEqual([976, 2, 1]);
    expect(notObservable).toBe(Object.keys(beyondTest).length);
    expect(withCheck + elsewhere + notObservable + withoutCheck).toBe(documented);
  });

  test('ends with what was judged', () => {
    const text = summaryText(mixed, new Set(['verbs.get', 'verbs.list']));
    expect(text).toMatch(/^verbs +1 +1 +· +· +· +2 +14$/m);
    expect(text).toContain('976 documented rules: 2 with a check, 0 of them by the judges of other parties; ');
    expect(text).toContain('Judged https://h (v1.25.0) in 1.5 s.');
    expect(text).toContain('4 rules were judged in 4 cells.\nNot judged: 1 rule, as no pods.');
  });
});

test('a failure tells rule, source, what was expected and seen, and how to repeat it', () => {
  const text = resultText(failing);
  for (const part of [
    'FAIL verbs.get',
    'A GET reads.',
    'Conventions, Verbs: get',
    'expected: 200',
    'seen:     404',
    "$ curl -sS --globoff 'http://h/x'",
    '404 in 3 ms',
    'not <found>',
  ])
    expect(text).toContain(part);
  expect(shortText(failing)).toBe('FAIL    verbs.get: expected 404 to be 200');
  const inOneCell = { kind: 'timeout', message: '1 of 8 cells:\n  pods: no answer\nand more' } as const;
  expect(shortText({ ...failing, finding: inOneCell })).toBe('FAIL    verbs.get: 1 of 8 cells: pods: no answer');
});

test('JUnit is well-formed whatever the target says', () => {
  const xml = junitReport(mixed);
  expect(xml).toContain('<testsuite name="verbs" tests="2" failures="1" errors="0" skipped="0" time="0.024"');
  expect(xml).toContain('<failure type="assertion" message="expected 404 to be 200">');
  expect(xml).toContain('not &lt;found&gt; &amp; gone\ufffd');
  expect(xml).toContain('<skipped message="no pods"/>');
  expect(xml).toContain('<error type="crash" message="oops">');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
  expect(xml).not.toMatch(/[\u0000-\u0008]/);
});

test('JSON holds all that is known', () => {
  const data = JSON.parse(jsonReport(mixed));
  expect(data.schema).toBe('touchstone/conformance/v1');
  expect(data.counts).toEqual({ pass: 1, fail: 1, skipped: 1, warn: 1, error: 1 });
  expect(data.results[0]).toMatchObject({ id: 'verbs.get', finding: { expected: '200' } });
});

test('the self-check tells who has no teeth', () => {
  const text = teethText([
    {
      id: 'a.b',
      chapter: 'a',
      healthy: 'pass',
      trials: [],
      dead: [],
      problems: ['still passes when the server sleeps\nmore'],
    },
    { id: 'a.c', chapter: 'a', healthy: 'skipped', trials: [], dead: [], problems: [] },
    { id: 'a.d', chapter: 'a', healthy: 'pass', trials: [{ under: 'x', verdict: 'fail' }], dead: [], problems: [] },
  ]);
  expect(text).toBe(
    'NO TEETH a.b\n  still passes when the server sleeps\n3 rules, 1 sabotages, 0 runs on dead servers: 1 proven, 1 not, 1 skipped.',
  );
});
