import type { RuleResult } from '../result.ts';
import { resultText } from './console.ts';
import { byChapter, type PartyReport } from './summary.ts';

/** XML 1.0 cannot hold these, even escaped. */
const unprintable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const printable = (text: string): string => text.replace(unprintable, '\ufffd');

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

const attribute = (text: string): string => printable(text).replace(/[&<>"\n\r\t]/g, (mark) => escapes[mark] ?? mark);

const content = (text: string): string => printable(text).replace(/[&<>]/g, (mark) => escapes[mark] ?? mark);

function caseXml(result: RuleResult, { curlOptions, known = {}, stale = [] }: PartyReport): string {
  const head = `    <testcase classname="${attribute(result.chapter)}" name="${attribute(result.id)}" time="${(result.milliseconds / 1000).toFixed(3)}"`;
  const message = attribute(
    (result.finding?.message ?? result.reason ?? result.warnings[0] ?? '').split('\n')[0] ?? '',
  );
  const details = content(resultText(result, curlOptions));
  const why = Object.hasOwn(known, result.id) ? known[result.id] : undefined;
  // Whoever reads this file fails by it as the command does by its exit code.
  if (why !== undefined)
    return `${head}>\n      <skipped message="known: ${attribute(why)}: ${message}"/>\n      <system-out>${details}</system-out>\n    </testcase>`;
  if (stale.includes(result.id))
    return `${head}>\n      <failure type="stale" message="expected to be broken, and kept: to be taken off the list"/>\n    </testcase>`;
  switch (result.verdict) {
    case 'pass':
      return `${head}/>`;
    case 'fail':
      return `${head}>\n      <failure type="${result.finding?.kind ?? 'assertion'}" message="${message}">${details}</failure>\n    </testcase>`;
    case 'error':
      return `${head}>\n      <error type="crash" message="${message}">${details}</error>\n    </testcase>`;
    case 'skipped':
      return `${head}>\n      <skipped message="${message}"/>\n    </testcase>`;
    case 'warn':
      return `${head}>\n      <skipped message="warning: ${message}"/>\n      <system-out>${details}</system-out>\n    </testcase>`;
  }
}

/** JUnit XML: a suite a chapter. A warning is shown as skipped, with its words, and so is what was known to be broken: the
 * format knows no better way to keep it from looking like a plain pass. */
export function junitReport(report: PartyReport): string {
  const suites = byChapter(report.results, new Set()).map(({ chapter }) => {
    const results = report.results.filter((result) => result.chapter === chapter);
    const seconds = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
    const cases = results.map((result) => caseXml(result, report));
    const having = (mark: string): number => cases.filter((each) => each.includes(`\n      <${mark} `)).length;
    const numbers = `tests="${results.length}" failures="${having('failure')}" errors="${having('error')}" skipped="${having('skipped')}" time="${seconds.toFixed(3)}"`;
    return `  <testsuite name="${attribute(chapter)}" ${numbers} timestamp="${report.startedAt}">\n${cases.join('\n')}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="touchstone" time="${(report.milliseconds / 1000).toFixed(3)}">\n${suites.join('\n')}\n</testsuites>\n`;
}
