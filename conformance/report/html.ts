import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuleResult } from '../result.ts';
import { curlOf, type Exchange } from '../verbs/exchange.ts';
import { causesOf } from './causes.ts';
import { notJudged } from './not-judged.ts';
import type { PartyReport } from './summary.ts';

const part = (name: string): string => readFileSync(join(import.meta.dirname, 'page', name), 'utf8');

/** In the order in which they run: what one imports stands before it. */
const modules = ['data', 'head', 'rules', 'filters', 'tables', 'page'] as const;

/** All as one script: a page that needs nothing else has no modules to import. */
const script = (): string =>
  modules
    .map((name) => part(`${name}.js`).replace(/^(?:import [^;]*;\n|export )/gm, ''))
    .join('\n')
    .replaceAll('</', '<\\/');

/** A report with the name under which it stands beside others. */
export interface NamedReport {
  readonly name?: string;
  readonly report: PartyReport;
}

/** One page that needs nothing else: the first report in full, and all of them side by side. */
export function htmlReport(reports: readonly NamedReport[]): string {
  const data = JSON.stringify({ reports: reports.map(shown) }).replaceAll('<', '\\u003c');
  const title = escaped(`Conformance of ${reports.map(({ name, report }) => name ?? report.target).join(', ')}`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${title}</title>
<style>
${part('page.css')}</style>
<body>
<noscript>This page shows its data by a script of its own.</noscript>
<script type="application/json" id="data">${data}</script>
<script>
${script()}</script>
</body>
</html>
`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function shown({ name, report }: NamedReport): object {
  const { results, known = {}, stale = [], ...facts } = report;
  const unknown = results.filter(({ id }) => !Object.hasOwn(known, id));
  return {
    ...facts,
    ...(name === undefined ? {} : { name }),
    known: Object.entries(known).map(([id, why]) => ({ id, why })),
    stale,
    causes: causesOf(unknown).map(({ what, results: group }) => ({ what, ids: group.map(({ id }) => id) })),
    notJudged: notJudged(results),
    results: results.map((result) => ({ mark: markOf(result, report), ...shownResult(result, report.curlOptions) })),
  };
}

/** How the run took a result: by its verdict, but where that was known, or against all expectation. */
function markOf({ id, verdict }: RuleResult, { known = {}, stale = [] }: PartyReport): string {
  if (Object.hasOwn(known, id)) return 'known';
  return stale.includes(id) ? 'stale' : verdict;
}

const shownResult = ({ exchanges, ...result }: RuleResult, options: readonly string[]): object => ({
  ...result,
  exchanges: exchanges.map((exchange) => shownExchange(exchange, options)),
});

const shownExchange = (exchange: Exchange, options: readonly string[]): object => ({
  ...(exchange.cell === undefined ? {} : { cell: exchange.cell }),
  curl: curlOf(exchange, options),
  outcome: `${exchange.method} ${URL.parse(exchange.url)?.pathname ?? exchange.url} → ${exchange.failure ?? exchange.status}`,
  answerBody: exchange.answerBody.slice(0, 8_000),
});
