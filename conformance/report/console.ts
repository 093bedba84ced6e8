import type { CellCounts, RuleResult } from '../result.ts';
import type { TeethResult } from '../sabotage/self-check.ts';
import { curlOf, type Exchange, shorten } from '../verbs/exchange.ts';
import { type Cause, causesOf } from './causes.ts';
import { type NotJudged, notJudged } from './not-judged.ts';
import {
  byChapter,
  type Counts,
  type Coverage,
  countVerdicts,
  type PartyReport,
  type RunReport,
  verdicts,
} from './summary.ts';

const indent = (text: string, by: string): string =>
  text
    .split('\n')
    .map((line) => `${by}${line}`)
    .join('\n');

function exchangeText(exchange: Exchange, options: readonly string[]): string {
  const answer = exchange.failure
    ? `no answer: ${exchange.failure}`
    : `${exchange.status} in ${exchange.milliseconds} ms`;
  const cell = exchange.cell === undefined ? '' : `# ${exchange.cell}\n`;
  const body = exchange.answerBody.trim();
  return `${cell}$ ${curlOf(exchange, options)}\n  → ${answer}${body === '' ? '' : `\n${indent(body.slice(0, 2_000), '    ')}`}`;
}

const cellsSkipped = ({ skipped }: CellCounts): string =>
  skipped.length === 0 ? '' : `; not judged: ${skipped.map(({ cell, reason }) => `${cell} (${reason})`).join(', ')}`;

/** Everything about one result, for people. */
export function resultText(result: RuleResult, curlOptions: readonly string[] = []): string {
  const lines = [
    `${result.verdict.toUpperCase()} ${result.id}`,
    `  rule: ${result.statement} (${result.level}; ${result.source})`,
  ];
  const { finding } = result;
  if (finding) {
    lines.push(`  ${finding.kind}: ${indent(finding.message, '    ').trim()}`);
    if (finding.expected !== undefined) lines.push(`  expected: ${finding.expected}`);
    if (finding.seen !== undefined) lines.push(`  seen:     ${finding.seen}`);
  }
  if (result.cells)
    lines.push(`  cells: ${result.cells.held} of ${result.cells.judged} hold${cellsSkipped(result.cells)}`);
  if (result.reason) lines.push(`  reason: ${result.reason}`);
  for (const warning of result.warnings) lines.push(`  warning: ${warning}`);
  for (const exchange of result.exchanges) lines.push(indent(exchangeText(exchange, curlOptions), '  '));
  return lines.join('\n');
}

/** How many characters a line tells of what a target says: some tell all of a long object. */
const longestLine = 1_000;

/** One line for those that only count. */
export const shortText = (result: RuleResult): string =>
  `${result.verdict.toUpperCase().padEnd(7)} ${result.id}: ${shorten(briefly(result.finding?.message ?? result.warnings[0] ?? result.reason ?? ''), longestLine)}`;

/** The first line, with the one that it leads to. */
function briefly(text: string): string {
  const [first = '', second = ''] = text.split('\n');
  return first.endsWith(':') ? `${first} ${second.trim()}`.trim() : first;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

const cellsOf = (counts: Counts, none = '·'): string[] => verdicts.map((verdict) => String(counts[verdict] || none));

/** How many documented rules are judged, by whom, and how many are not. */
export const coverageText = ({ documented, withCheck, elsewhere, notObservable, withoutCheck }: Coverage): string =>
  `${documented} documented rules: ${withCheck + elsewhere} with a check, ${elsewhere} of them by the judges of other parties; ${notObservable} beyond any test; ${withoutCheck} without a check yet.`;

/** The table by chapter with its totals, and how much of the documents is checked at all. */
export function summaryText(report: RunReport, checked: ReadonlySet<string>): string {
  const chapters = byChapter(report.results, checked);
  const total = countVerdicts(report.results);
  const rows = [
    ['chapter', ...verdicts, 'checked', 'documented'],
    ...chapters.map(({ chapter, counts, withCheck, documented }) => [
      chapter,
      ...cellsOf(counts),
      String(withCheck),
      String(documented),
    ]),
    ['all', ...cellsOf(total, '0'), String(report.coverage.withCheck), String(report.coverage.documented)],
  ];
  const judged = report.results.filter(({ verdict }) => verdict !== 'skipped');
  const cells = judged.reduce((sum, result) => sum + (result.cells?.judged ?? 1), 0);
  const { coverage, cellsAtMost } = report;
  return [
    table(rows),
    '',
    coverageText(coverage),
    `${judged.length === 1 ? '1 rule was' : `${judged.length} rules were`} judged in ${cells === 1 ? '1 cell' : `${cells} cells`}.${cellsAtMost === undefined ? '' : ` General rules in ${cellsAtMost} of theirs at most: --cells 0 plays all.`}`,
    ...notJudged(report.results).map(notJudgedText),
    `Judged ${report.target} (${report.version}) in ${(report.milliseconds / 1000).toFixed(1)} s.`,
  ].join('\n');
}

/** The table by chapter with its totals, of a run that judged another party. */
export function partyText({ results, target, milliseconds }: PartyReport): string {
  const rows = [
    ['chapter', ...verdicts],
    ...byChapter(results, new Set()).map(({ chapter, counts }) => [chapter, ...cellsOf(counts)]),
    ['all', ...cellsOf(countVerdicts(results), '0')],
  ];
  const judged = results.filter(({ verdict }) => verdict !== 'skipped').length;
  const rules = judged === results.length ? `${judged} rules` : `${judged} of ${results.length} rules`;
  return [
    table(rows),
    '',
    ...notJudged(results).map(notJudgedText),
    `Judged the ${target} by ${rules} in ${(milliseconds / 1000).toFixed(1)} s.`,
  ].join('\n');
}

const notJudgedText = ({ reason, ids, leftOut }: NotJudged): string =>
  `Not judged: ${ids.length} ${ids.length === 1 ? 'rule' : 'rules'}${leftOut ? ', although claimed' : ''}, as ${shorten(reason, longestLine)}.`;

/** How many rules of one cause are named. */
const namedRules = 8;

/** What is broken, by its likely cause; empty when nothing is. */
export function failuresText(results: readonly RuleResult[]): string {
  return causesOf(results)
    .map((cause) => causeText({ ...cause, what: shorten(cause.what, longestLine) }))
    .join('\n');
}

function causeText({ what, results }: Cause): string {
  const [first, ...others] = results;
  if (!first) return '';
  if (others.length === 0) {
    const ofWhich = what.startsWith(`${first.id}: `) ? '' : `${first.id}: `;
    return `${first.verdict.toUpperCase()} ${ofWhich}${what}`;
  }
  const more = results.length > namedRules ? `, and ${results.length - namedRules} more` : '';
  const names = results.slice(0, namedRules).map(({ id }) => id);
  return `FAIL ${results.length} rules by one cause: ${what}\n     ${names.join(', ')}${more}`;
}

/** What the self-check found, faults last. */
export function teethText(results: readonly TeethResult[]): string {
  const faulty = results.filter(({ problems }) => problems.length > 0);
  const skipped = results.filter(({ healthy }) => healthy === 'skipped');
  const trials = results.reduce((sum, result) => sum + result.trials.length, 0);
  const dead = results.reduce((sum, result) => sum + result.dead.length, 0);
  return [
    ...faulty.map(
      ({ id, problems }) => `NO TEETH ${id}\n${problems.map((problem) => `  ${problem.split('\n')[0]}`).join('\n')}`,
    ),
    `${results.length} rules, ${trials} sabotages, ${dead} runs on dead servers: ${results.length - faulty.length - skipped.length} proven, ${faulty.length} not, ${skipped.length} skipped.`,
  ].join('\n');
}
