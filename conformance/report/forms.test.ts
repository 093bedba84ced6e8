import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { filesIn, temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { judgedElsewhere } from '../catalogue/without-check.ts';
import { loadSections } from '../runner/sections.ts';
import { badge } from './badge.ts';
import { htmlReport } from './html.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { broken, failing, passing, reportOf, result } from './report.fixture.ts';
import { rulesPage } from './rules-page.ts';
import { brokenIds, judgement, readExpected, readReport, SavedError } from './saved.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
});

const fileOf = (text: string): string => filesIn(folder)('file', text);

const report = reportOf([broken('verbs.delete', 'one'), broken('deletion.removal', 'two'), failing, passing]);

test('the page holds all data and asks nobody for anything', () => {
  const page = htmlReport([{ report }, { name: 'other', report: reportOf([passing]) }]);
  const data = /<script type="application\/json" id="data">(.*)<\/script>\n/.exec(page)?.[1] ?? '';
  const { reports } = JSON.parse(data);
  expect(reports.map(({ results }: { results: unknown[] }) => results.length)).toEqual([4, 1]);
  expect(reports[0].results[0].exchanges[0].curl).toContain('--cacert "$CA"');
  expect(data).not.toContain('</');
  expect(page).not.toMatch(/(?:src|href)="?(?:https?:)?\/\//);
});

test('Markdown tells the findings, and what the target says becomes no markup', () => {
  const text = markdownReport(report);
  expect(text).toContain('- **2** rules: DELETE');
  expect(text).toContain('\\<\\/script\\>'.replace('\\/', '/'));
  expect(text).toMatch(/^\| verbs \| 1 \| 2 /m);
  const named = markdownReport({ ...report, version: 'v1</details>\r\n\u001b[1m' });
  expect(named).toContain(' (v1\\</details\\> \ufffd\\[1m)');
});

test('Markdown tells of what is very long how it begins', () => {
  const message = `no ${'long '.repeat(1_000)}`;
  const text = markdownReport(reportOf([result('verbs.get', { verdict: 'skipped', reason: message })]));
  expect(text).toContain('no long long');
  expect(text.length).toBeLessThan(2_000);
});

test('Markdown fits into a comment however much is broken, and says how much more there is', () => {
  const letters = (at: number) => [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const many = Array.from({ length: 900 }, (_, at) =>
    result(`verbs.rule-${at}`, {
      verdict: 'fail',
      finding: { kind: 'assertion', message: `${letters(at)} ${'long '.repeat(100)}` },
    }),
  );
  const known = Object.fromEntries(many.slice(0, 200).map(({ id }) => [id, `a reason ${'why '.repeat(100)}`]));
  const text = markdownReport({ ...reportOf(many), known });
  expect(text.length).toBeLessThan(65_536);
  expect(text.match(/^- \*\*1\*\* rule/gm)?.length).toBeGreaterThan(50);
  expect(text.match(/^- and \d+ more, which the other reports tell$/gm)?.length).toBe(2);
});

test('what was known to be broken is no failure in JUnit and no finding in Markdown, what is kept against all expectation is', () => {
  const failed = { verdict: 'fail', finding: { kind: 'assertion', message: 'a "limit"' } } as const;
  const results = [
    result('verbs.get', failed),
    result('verbs.put', failed),
    result('verbs.list'),
    result('verbs.patch'),
  ];
  const known = { 'verbs.get': 'since <May>' };
  const judged = { ...reportOf(results), known, stale: ['verbs.list'] };
  const xml = junitReport(judged);
  expect(xml).toContain('tests="4" failures="2" errors="0" skipped="1"');
  expect(xml).toContain('<skipped message="known: since &lt;May&gt;: a &quot;limit&quot;"/>');
  expect(xml.match(/name="verbs.list"[^\n]*\n[^\n]*/)?.[0]).toContain('<failure type="stale"');
  const text = markdownReport(judged);
  expect(text.match(/^- \*\*.*/gm)).toEqual(['- **1** rule: verbs.put: a "limit" (`verbs.put`)']);
  expect(text).toContain('- known: `verbs.get`: since \\<May\\>');
  expect(text).toContain('- kept, and to be taken off the list: `verbs.list`');
});

test.each([
  ['#b3261e', '3 of 4 broken', report],
  ['#1c7a3d', '1 rules kept', reportOf([passing])],
  ['#8a5a00', '1 rules kept', reportOf([passing, result('verbs.get', { verdict: 'skipped', leftOut: true })])],
])('the badge is %s: %s', (colour, words, one) => {
  expect(badge(one)).toContain(colour);
  expect(badge(one)).toContain(words);
});

describe('what was known before', () => {
  test('only what got worse counts', () => {
    const baseline = readReport(fileOf(jsonReport(reportOf([failing]))));
    expect(brokenIds(baseline)).toEqual(['verbs.get']);
    const { worse, known } = judgement(report.results, { baseline });
    expect(worse.map(({ id }) => id)).toEqual(['verbs.delete', 'deletion.removal']);
    expect(known.map(({ id }) => id)).toEqual(['verbs.get']);
  });

  test('a report with what is no result is none', () => {
    const text = jsonReport(report).replace(/"results": \[/, '"results": [null,');
    expect(() => readReport(fileOf(text))).toThrow('is no report');
  });

  test.each([
    ['results[0].statement', { results: [{ ...failing, statement: undefined }] }],
    ['results[1].exchanges', { results: [passing, { ...passing, exchanges: 5 }] }],
    ['profiles', { profiles: undefined }],
    ['target', { target: 5 }],
  ])('a report without %s is none, and told so', (lack, parts) => {
    const text = JSON.stringify({ ...JSON.parse(jsonReport(report)), ...parts });
    expect(() => readReport(fileOf(text))).toThrow(
      `is no report of the schema touchstone/conformance/v1: ${lack} is missing`,
    );
  });

  test('a report need not say what curl is told', () => {
    const text = JSON.stringify({ ...JSON.parse(jsonReport(report)), curlOptions: undefined });
    expect(htmlReport([{ report: readReport(fileOf(text)) }])).toContain('verbs.get');
  });

  test('an expected failure that is kept by now is stale', () => {
    const known = new Set(['verbs.get', 'verbs.list']);
    const expected = readExpected(fileOf('# known\nverbs.get is mended next week\n\nverbs.list  no time yet\n'), known);
    expect([...expected]).toEqual([
      ['verbs.get', 'is mended next week'],
      ['verbs.list', 'no time yet'],
    ]);
    expect(judgement(report.results, { expected }).stale).toEqual(['verbs.list']);
  });

  test.each([
    ['verbs.dance now and then', 'there is no rule "verbs.dance"'],
    ['verbs.get', 'verbs.get has no reason'],
  ])('%j is no list of expected failures', (text, message) => {
    expect(() => readExpected(fileOf(text), new Set(['verbs.get']))).toThrow(message);
  });

  test.each(['nothing', '[]', '{"schema":"other"}', '"text"'])('%j is no report', (text) => {
    expect(() => readReport(fileOf(text))).toThrow(SavedError);
  });
});

test('RULES.md is what the rules say; touchstone rules --markdown writes it', async () => {
  const rules = (await loadSections()).flatMap((section) => section.rules);
  expect(readFileSync(join(import.meta.dirname, '..', 'RULES.md'), 'utf8')).toBe(
    rulesPage(rules, await judgedElsewhere()),
  );
});
