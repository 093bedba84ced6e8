import { plain } from '../../plain.ts';
import { shorten } from '../verbs/exchange.ts';
import { type Cause, causesOf } from './causes.ts';
import { notJudged } from './not-judged.ts';
import { byChapter, countVerdicts, type PartyReport, verdicts } from './summary.ts';

/** How many rules of one cause are named. */
const named = 10;

/** A summary for a pull request: what is broken first, the chapters folded away. */
export function markdownReport(report: PartyReport): string {
  const counts = countVerdicts(report.results);
  const causes = causesOf(report.results);
  const claim = report.profiles.length > 0 ? `, which claims ${report.profiles.join(', ')}` : '';
  return [
    `## Conformance of \`${report.target}\`${report.version && ` (${cell(report.version)})`}${claim}`,
    '',
    verdicts.map((verdict) => `**${counts[verdict]}** ${verdict}`).join(' · '),
    '',
    ...(causes.length > 0 ? ['### Findings', '', ...causes.map(causeText), ''] : []),
    ...notJudged(report.results).map(
      ({ reason, ids, leftOut }) =>
        `- not judged${leftOut ? ', although claimed' : ''}: ${ids.length}, as ${cell(reason)}`,
    ),
    '',
    '<details><summary>Chapters</summary>',
    '',
    `| chapter | ${verdicts.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(verdicts.length)}`,
    ...byChapter(report.results, new Set()).map(
      ({ chapter, counts: own }) => `| ${chapter} | ${verdicts.map((verdict) => own[verdict] || '·').join(' | ')} |`,
    ),
    '',
    '</details>',
    '',
  ].join('\n');
}

function causeText({ what, results }: Cause): string {
  const ids = results.slice(0, named).map(({ id }) => `\`${id}\``);
  const more = results.length > named ? `, and ${results.length - named} more` : '';
  return `- **${results.length}** ${results.length === 1 ? 'rule' : 'rules'}: ${cell(what)} (${ids.join(', ')}${more})`;
}

/** How many characters of one text of the target's: some tell all of a long object. */
const longest = 1_000;

/** Text of the target's that must not become markup. */
const cell = (text: string): string =>
  plain(shorten(text, longest))
    .replace(/[\\`*_[\]<>|#]/g, (mark) => `\\${mark}`)
    .replaceAll('\n', ' ');
