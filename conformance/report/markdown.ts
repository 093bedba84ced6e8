import { plain } from '../../plain.ts';
import { shorten } from '../verbs/exchange.ts';
import { type Cause, causesOf } from './causes.ts';
import { notJudged } from './not-judged.ts';
import { byChapter, countVerdicts, type PartyReport, verdicts } from './summary.ts';

/** How many rules of one cause are named. */
const named = 10;

/** Characters: a comment on GitHub has 65 536 at most. */
const roomForFindings = 45_000;
const roomForKnown = 10_000;

/** A summary for a pull request: what is broken first, the chapters folded away. */
export function markdownReport(report: PartyReport): string {
  const counts = countVerdicts(report.results);
  const { known = {}, stale = [] } = report;
  const causes = causesOf(report.results.filter(({ id }) => !Object.hasOwn(known, id)));
  const knownLines = Object.entries(known).map(([id, why]) => `- known: \`${id}\`: ${cell(why)}`);
  const claim = report.profiles.length > 0 ? `, which claims ${report.profiles.join(', ')}` : '';
  return [
    `## Conformance of \`${report.target}\`${report.version && ` (${cell(report.version)})`}${claim}`,
    '',
    verdicts.map((verdict) => `**${counts[verdict]}** ${verdict}`).join(' · '),
    '',
    ...(causes.length > 0 ? ['### Findings', '', ...asFits(causes.map(causeText), roomForFindings), ''] : []),
    ...asFits(knownLines, roomForKnown),
    ...(stale.length > 0 ? [`- kept, and to be taken off the list: ${names(stale)}`] : []),
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

/** As many lines as there is room for, in characters. */
function asFits(lines: readonly string[], room: number): readonly string[] {
  let left = room;
  const shown = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  const more = `- and ${lines.length - shown} more, which the other reports tell`;
  return shown < 0 ? lines : [...lines.slice(0, shown), more];
}

const causeText = ({ what, results }: Cause): string =>
  `- **${results.length}** ${results.length === 1 ? 'rule' : 'rules'}: ${cell(what)} (${names(results.map(({ id }) => id))})`;

function names(ids: readonly string[]): string {
  const more = ids.length > named ? `, and ${ids.length - named} more` : '';
  return (
    ids
      .slice(0, named)
      .map((id) => `\`${id}\``)
      .join(', ') + more
  );
}

/** How many characters of one text of the target's: some tell all of a long object. */
const longest = 1_000;

/** Text of the target's that must not become markup. */
const cell = (text: string): string =>
  plain(shorten(text, longest))
    .replace(/[\\`*_[\]<>|#]/g, (mark) => `\\${mark}`)
    .replaceAll('\n', ' ');
